import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A port that leads to another one, which may change. */
export interface SwitchedPort {
  readonly port: number;
  /** How many connections led nowhere. */
  readonly refused: number;
  /** Nothing that the server says gets through from here on. */
  readonly stall: () => void;
  /** Ends every connection; later ones lead to another port, or nowhere. */
  readonly switchTo: (port: number | undefined) => void;
  readonly close: () => Promise<void>;
}

export async function openSwitchedPort(target?: number): Promise<SwitchedPort> {
  const pairs = new Set<{ readonly client: Socket; readonly server: Socket }>();
  let current = target;
  let stalled = false;
  let refused = 0;

  const listener = createServer((client) => {
    if (current === undefined) {
      refused += 1;
      return void client.destroy();
    }
    const server = connect(current, '127.0.0.1');
    const pair = { client, server };
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.setNoDelay(true).on('error', end).on('close', end);
    client.on('data', (data) => server.write(data));
    server.on('data', (data) => void (stalled || client.write(data)));
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const endAll = (): void => {
    for (const { client, server } of pairs) {
      client.destroy();
      server.destroy();
    }
    pairs.clear();
  };
  return {
    port: (listener.address() as AddressInfo).port,
    get refused() {
      return refused;
    },
    stall: () => (stalled = true),
    switchTo: (port) => {
      current = port;
      stalled = false;
      endAll();
    },
    close: async () => {
      endAll();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
