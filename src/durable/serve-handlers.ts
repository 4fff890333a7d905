import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import * as restate from '@restatedev/restate-sdk';
import type { Database } from '../database/pool.ts';
import type { LookUp } from '../domain/senders/look-up.ts';
import { systemClock } from '../kernel/clock.ts';
import { broadcastStart } from './broadcast-start.ts';
import { sendingDomains } from './check-domain.ts';
import { personProperties } from './person-properties.ts';

const drainMs = 5_000;

export interface HandlersOptions {
  readonly database: Database;
  readonly host: string;
  readonly port: number;
  /** The engine's public key: a request it did not sign is refused. */
  readonly identityKey: string;
  readonly lookUp: LookUp;
  /** What the return path of a sending domain must point to. */
  readonly returnPathHost: string;
  readonly log: (level: 'info' | 'warn' | 'error', fields: object, message: string) => void;
}

export interface Handlers {
  readonly port: number;
  close(): Promise<void>;
}

/** Listens for the engine over HTTP/2. Closing waits for what is running; the engine calls again for the rest. */
export async function serveHandlers(options: HandlersOptions): Promise<Handlers> {
  const { database, log } = options;
  const handler = restate.createEndpointHandler({
    services: [
      personProperties(database, (request_id, org_id) =>
        log('info', { request_id, org_id }, 'custom properties applied'),
      ),
      broadcastStart({
        database,
        clock: systemClock,
        deliver: undefined, // nothing delivers yet: a broadcast whose time comes says so and goes to nobody
        onRung: ({ org_id, broadcast_id }, outcome) =>
          log('info', { org_id, broadcast_id, outcome }, 'the alarm of a broadcast rang'),
      }),
      sendingDomains(options, systemClock, (outcome, fields) => {
        if (outcome === 'lost') log('warn', fields, 'a sending domain lost its standing');
        if (outcome === 'verified') log('info', fields, 'a sending domain was verified');
      }),
    ],
    identityKeys: [options.identityKey],
    logger: (meta, message, ...rest) => {
      const level = meta.level === 'error' ? 'error' : meta.level === 'warn' ? 'warn' : undefined;
      if (level !== undefined)
        log(level, { engine: String(message), details: rest.length }, 'engine handler');
    },
  });
  const server = http2.createServer(handler);
  const sessions = new Set<http2.ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        const cut = setTimeout(() => {
          for (const session of sessions) session.destroy();
          resolve();
        }, drainMs);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        for (const session of sessions) session.close();
      }),
  };
}
