import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { restateEngine } from '../../src/durable/engine.ts';
import { readConfig } from '../../src/main/config.ts';
import { registerHandlers } from '../../src/main/register-handlers.ts';

const message = { service: 'BroadcastRun', handler: 'send', payload: { lane: 'x/0' } };

/** A node of a cluster, which answers as it is told to and remembers what it was asked. */
interface Node {
  readonly url: string;
  status: number;
  readonly asked: string[];
  down(): Promise<void>;
}

const servers = new Set<Server>();
afterEach(async () => {
  for (const server of servers) await close(server);
});

async function newNode(): Promise<Node> {
  const node = { status: 202, asked: [] as string[] };
  const server = createServer((request: IncomingMessage, response) => {
    node.asked.push(`${request.url} ${String(request.headers['idempotency-key'] ?? '')}`.trim());
    request.resume();
    response.writeHead(node.status).end('{"deployments":[]}');
  });
  servers.add(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(node, { url, down: () => close(server) });
}

async function close(server: Server): Promise<void> {
  servers.delete(server);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

test('a message that one node of the engine does not take is handed to the next, under the same id', async () => {
  const [first, second, third] = [await newNode(), await newNode(), await newNode()];
  const engine = restateEngine([first.url, second.url, third.url]);
  expect(await engine.send(message, '1')).toBe(true);
  expect([first.asked.length, second.asked.length]).toEqual([1, 0]);
  await first.down();
  second.status = 503;
  expect(await engine.send(message, '2')).toBe(true);
  expect(second.asked).toEqual(['/BroadcastRun/send/send 2']);
  expect(third.asked).toEqual(second.asked);
});

test('the node that took the last message is asked first from then on', async () => {
  const [first, second] = [await newNode(), await newNode()];
  const engine = restateEngine([first.url, second.url]);
  first.status = 503;
  for (const id of ['1', '2', '3']) expect(await engine.send(message, id)).toBe(true);
  expect([first.asked.length, second.asked.length]).toEqual([1, 3]);
  second.status = 503;
  first.status = 202;
  expect(await engine.send(message, '4')).toBe(true);
  expect([first.asked.length, second.asked.length]).toEqual([2, 4]);
});

test('a message that no node takes is not taken, and an engine is well while one node is', async () => {
  const [first, second] = [await newNode(), await newNode()];
  const engine = restateEngine([first.url, second.url]);
  await first.down();
  expect(await engine.healthy()).toBe(true);
  second.status = 500;
  expect(await engine.send(message, '1')).toBe(false);
  expect(await engine.healthy()).toBe(false);
  await second.down();
  expect(await engine.send(message, '1')).toBe(false);
  expect(await engine.healthy()).toBe(false);
});

test('the handlers are registered with whichever node answers', async () => {
  const [first, second] = [await newNode(), await newNode()];
  await first.down();
  await registerHandlers([first.url, second.url], 'http://127.0.0.1:9080');
  expect(second.asked).toEqual(['/deployments', '/deployments']);
});

test('the addresses of several nodes are parted by commas, and each must be one', () => {
  const needed = { ROSTRUM_SECRET: 'a secret for tests that nobody else has' };
  const read = (urls: string) => readConfig({ ...needed, RESTATE_INGRESS_URL: urls }).RESTATE_INGRESS_URL;
  expect(read('http://a:8080, https://b:8080/')).toEqual(['http://a:8080', 'https://b:8080']);
  expect(readConfig(needed).RESTATE_INGRESS_URL).toEqual(['http://127.0.0.1:8080']);
  expect(() => read('http://a:8080,')).toThrow(/RESTATE_INGRESS_URL must be addresses/);
  expect(() => read('http://a:8080,b:8080')).toThrow(/RESTATE_INGRESS_URL must be addresses/);
});
