import { createServer, type AddressInfo } from 'node:net';

/** A port that nobody else is given until it is let go, for who must know it long before they listen. */
export interface HeldPort {
  readonly port: number;
  letGo(): Promise<void>;
}

export async function holdPort(): Promise<HeldPort> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    letGo: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
