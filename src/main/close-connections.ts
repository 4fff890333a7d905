import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const graceMs = 1_000;

/**
 * Node closes the idle connections once, when draining begins. Two kinds would hold the process for a minute and more:
 * one whose answer ends later, and one over which nothing was ever asked, as browsers open them in advance.
 */
export function closeConnections(app: FastifyInstance): void {
  const open = new Set<Socket>();
  let draining = false;
  app.server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('preClose', async () => {
    draining = true;
    // A request may be on its way.
    setTimeout(() => {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    }, graceMs).unref();
  });
  app.addHook('onResponse', async () => {
    if (draining) setImmediate(() => app.server.closeIdleConnections());
  });
}
