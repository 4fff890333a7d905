import { lookup } from 'node:dns/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askNameServers } from '../../src/domain/connections/ask-name-servers.ts';
import { startDns, type Dns } from '../support/dns.ts';

let dns: Dns;
beforeAll(async () => {
  dns = await startDns();
});
afterAll(() => dns.stop());

const find = (host: string) => askNameServers([dns.servers])(host);

test('all addresses of a name are found, of both kinds, for each is judged', async () => {
  await dns.publish(
    { host: 'client.acme.test', type: 'A', value: '93.184.216.34' },
    { host: 'client.acme.test', type: 'A', value: '10.0.0.7' },
    { host: 'client.acme.test', type: 'AAAA', value: '2606:2800:220:1::1' },
    { host: 'six.acme.test', type: 'AAAA', value: '::1' },
  );
  const found = await find('client.acme.test');
  expect(found.toSorted((a, b) => (a.address < b.address ? -1 : 1))).toEqual([
    { address: '10.0.0.7', family: 4 },
    { address: '2606:2800:220:1::1', family: 6 },
    { address: '93.184.216.34', family: 4 },
  ]);
  expect(await find('six.acme.test')).toEqual([{ address: '::1', family: 6 }]);
});

test('a name that nobody knows, and one that fails, have no address', async () => {
  for (const host of ['nobody.acme.test', 'any.failing.test']) expect(await find(host)).toEqual([]);
});

test('while strangers’ name servers keep silent, other names are found', async () => {
  const silent = Array.from({ length: 8 }, (_, n) => find(`client-${n}.silent.test`));
  const began = performance.now();
  await lookup('localhost');
  expect(performance.now() - began).toBeLessThan(1_000);
  expect((await Promise.all(silent)).flat()).toEqual([]);
});
