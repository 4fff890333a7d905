import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * From here up to there. Above, systems give ports to outgoing connections: one of these could take a port in the moment
 * between looking and listening, and keep it as long as it lives. 10080 is one that browsers refuse.
 */
const [least, most] = [10_100, 32_000];

/** A port that nobody else is given until it is let go, for who must know it long before they listen. */
export interface HeldPort {
  readonly port: number;
  letGo(): Promise<void>;
}

export async function holdPort(): Promise<HeldPort> {
  for (;;) {
    const server = createServer();
    const port = randomInt(least, most);
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening');
      return { port, letGo: () => new Promise((resolve) => server.close(() => resolve())) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

/** Ports of this machine that nobody listens at. */
export async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(Array.from({ length: count }, holdPort));
  await Promise.all(held.map((one) => one.letGo()));
  return held.map(({ port }) => port);
}

export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port!;
}
