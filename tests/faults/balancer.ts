import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Balancer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** A port that leads to each of several in turn, and to the next one where nobody listens. */
export async function openBalancer(targets: readonly number[]): Promise<Balancer> {
  const open = new Set<Socket>();
  let turn = 0;
  const lead = (client: Socket, left: number): void => {
    if (left === 0) return void client.destroy();
    const server = connect(targets[turn++ % targets.length]!, '127.0.0.1').setNoDelay(true);
    let connected = false;
    server.once('connect', () => {
      connected = true;
      open.add(server);
      client.pipe(server).pipe(client);
    });
    server.on('error', () => void (connected ? client.destroy() : lead(client, left - 1)));
    server.on('close', () => {
      open.delete(server);
      if (connected) client.destroy();
    });
    client.on('close', () => server.destroy());
  };
  const listener = createServer((client) => {
    open.add(client);
    client
      .setNoDelay(true)
      .on('error', () => undefined)
      .on('close', () => open.delete(client));
    lead(client, targets.length);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return {
    port: (listener.address() as AddressInfo).port,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
