import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { clientDocuments, isDocumentAddress } from '../../src/domain/connections/client-documents.ts';
import { fetchDocument, type DocumentNetwork } from '../../src/domain/connections/fetch-document.ts';
import { isPublicAddress } from '../../src/domain/connections/public-address.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { certificate, listen } from './app.ts';

let server: Server;
let ca: string;
let port: number;
let asked: string[];
/** What the server at that address does. */
let serve: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  const { key, cert } = certificate();
  ca = cert;
  server = createServer({ key, cert }, (request, response) => {
    asked.push(request.url ?? '');
    serve(request, response);
  });
  port = await listen(server);
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  asked = [];
  serve = (_request, response) => json(response, document());
});

const json = (response: ServerResponse, body: unknown, headers: Record<string, string> = {}): void =>
  void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

const id = (path = '/client.json'): string => `https://client.example:${port}${path}`;
const document = (changes: Record<string, unknown> = {}) => ({
  client_id: id(),
  client_name: 'Desk assistant',
  redirect_uris: ['https://client.example/callback'],
  ...changes,
});

/** Names as somebody's own server would answer, and the computer of the tests as part of the world. */
const here = (): DocumentNetwork => ({
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  isAllowed: (address) => address === '127.0.0.1',
  ca,
});
const answering = (...addresses: string[]): DocumentNetwork => ({
  ...here(),
  lookup: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  isAllowed: isPublicAddress,
});

const finder = (network: DocumentNetwork, now = () => systemClock.now()) =>
  clientDocuments({ fetch: (url) => fetchDocument(url, network), inTurn: (act) => act(), clock: { now } });

test('a client is what its document says', async () => {
  expect(await finder(here())(id())).toEqual({
    id: id(),
    name: 'Desk assistant',
    redirectUris: ['https://client.example/callback'],
    host: `client.example:${port}`,
  });
});

test.each([
  ['names another client', { client_id: 'https://other.example/client.json' }],
  ['holds a secret', { client_secret: 'known to everybody' }],
  ['asks for a secret', { token_endpoint_auth_method: 'client_secret_post' }],
  ['asks for keys', { token_endpoint_auth_method: 'private_key_jwt' }],
  ['has no addresses', { redirect_uris: [] }],
  ['has an address without TLS', { redirect_uris: ['http://client.example/callback'] }],
])('a document that %s is none', async (_what, changes) => {
  serve = (_request, response) => json(response, document(changes));
  expect(await finder(here())(id())).toBeUndefined();
  expect(asked).toHaveLength(1);
});

test.each([
  [
    'is no JSON',
    (response: ServerResponse) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('<'),
  ],
  [
    'is a page',
    (response: ServerResponse) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end(JSON.stringify(document())),
  ],
  [
    'is not there',
    (response: ServerResponse) =>
      void response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify(document())),
  ],
  ['is too large', (response: ServerResponse) => json(response, document({ more: 'x'.repeat(20_000) }))],
])('an answer that %s is no document', async (_what, act) => {
  serve = (_request, response) => act(response);
  expect(await finder(here())(id())).toBeUndefined();
  expect(asked).toHaveLength(1);
});

test('SSRF: a redirect is not followed, wherever it leads', async () => {
  serve = (request, response) =>
    request.url === '/client.json'
      ? void response
          .writeHead(302, { location: '/elsewhere.json', 'content-type': 'application/json' })
          .end(JSON.stringify(document()))
      : json(response, document());
  expect(await finder(here())(id())).toBeUndefined();
  expect(asked).toEqual(['/client.json']);
});

test.each([['127.0.0.1'], ['10.0.0.1'], ['169.254.169.254'], ['::1'], ['fd00::1'], ['::ffff:127.0.0.1']])(
  'SSRF: a name that means %s is not asked',
  async (address) => {
    expect(await finder(answering(address))(id())).toBeUndefined();
    expect(asked).toEqual([]);
  },
);

test('SSRF: a name that means an address of the world and one of ours is not asked', async () => {
  expect(await finder(answering('93.184.216.34', '127.0.0.1'))(id())).toBeUndefined();
  expect(asked).toEqual([]);
});

test('DNS rebinding: the address that was judged is the one that is asked, by one question', async () => {
  let questions = 0;
  const network: DocumentNetwork = {
    ...here(),
    lookup: async () => {
      questions++;
      return [{ address: questions === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    },
  };
  expect(await finder(network)(id())).toBeDefined();
  expect(questions).toBe(1);
});

test.each([
  ['an address', () => `https://127.0.0.1:${port}/client.json`],
  ['an address of IPv6', () => `https://[::1]:${port}/client.json`],
  ['no TLS', () => `http://client.example:${port}/client.json`],
  ['a user', () => `https://a@client.example:${port}/client.json`],
  ['dots', () => `https://client.example:${port}/a/../client.json`],
  ['a fragment', () => `https://client.example:${port}/client.json#a`],
  ['no path', () => `https://client.example:${port}/`],
  ['capitals', () => `https://CLIENT.example:${port}/client.json`],
])('SSRF: an id with %s is not asked', async (_what, made) => {
  serve = (_request, response) => json(response, document({ client_id: made() }));
  expect(await finder(here())(made())).toBeUndefined();
  expect(asked).toEqual([]);
});

test('a document is fetched once for as long as its server says, an hour here, and a minute at least', async () => {
  let now = systemClock.now();
  const find = finder(here(), () => now);
  serve = (_request, response) => json(response, document(), { 'cache-control': 'max-age=3600' });
  await Promise.all([find(id()), find(id())]);
  now = new Date(now.getTime() + 3_599_000);
  await find(id());
  expect(asked).toHaveLength(1);
  serve = (_request, response) => json(response, document(), { 'cache-control': 'max-age=0' });
  now = new Date(now.getTime() + 2_000);
  await find(id());
  now = new Date(now.getTime() + 59_000);
  await find(id());
  expect(asked).toHaveLength(2);
});

test('an id of a client that registered is no address', () => {
  expect(isDocumentAddress('01a1ea33-0000-7000-8000-000000000000')).toBe(false);
});
