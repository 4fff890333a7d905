import { readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startServer, type ServerProcess } from '../../benches/support/server-process.ts';
import { shipped } from '../../benches/support/shipped.ts';
import { freePort } from '../../src/main/free-ports.ts';
import { release } from '../../src/durable/release.ts';
import { startLocalRestate, type LocalRestate } from '../../src/main/local-restate.ts';
import { listDeployments } from '../../src/main/restate-admin.ts';
import { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const timeout = 120_000; // a process starts slowly on a busy machine

let restate: LocalRestate;
let served: ServerProcess;

beforeAll(async () => {
  restate = await startLocalRestate();
  served = await startServer([shipped, 'serve', 'all'], {
    DATABASE_URL: world().databaseUrl,
    ROSTRUM_SECRET: world().config.ROSTRUM_SECRET,
    RESTATE_INGRESS_URL: restate.ingressUrl,
    RESTATE_ADMIN_URL: restate.adminUrl,
    RESTATE_IDENTITY_KEY: restate.identityKey,
    HANDLERS_PORT: String(await freePort()),
    MAILBOX_PORT: '0',
  });
}, timeout);

afterAll(async () => {
  await served?.stop();
  await restate?.stop();
  await restate?.remove();
});

const ourOrg = async (): Promise<TestOrg> => {
  const { id, keyId, secret } = await world().newOrg();
  return new TestOrg(served.url, id, keyId, secret);
};

const read = async (url: string, path: string): Promise<string> => {
  const response = await fetch(url + path);
  expect(response.status).toBe(200);
  return (await response.text()).replaceAll(url, 'HERE');
};

test('the bundle has no sign that V8 would keep in twice the memory', async () => {
  const folder = dirname(shipped);
  const sources = (await readdir(folder)).filter((file) => file.endsWith('.js'));
  expect(sources.length).toBeGreaterThan(10);
  for (const file of sources)
    expect([file, /[^\0-\x7f]/.exec(await readFile(`${folder}/${file}`, 'utf8'))]).toEqual([file, null]);
});

test.each(['/v1/openapi.json', '/docs/', '/docs/js/scalar.js', '/docs/errors', '/llms.txt', '/sign-in'])(
  'the bundle answers %s as the source does',
  { timeout },
  async (path) => {
    expect(await read(served.url, path)).toBe(await read(world().url, path));
  },
);

test('what tools write goes from the bundle to the engine and back, under the release of the source', async () => {
  const org = await ourOrg();
  await org.rest('POST /v1/property-configs', { key: 'seats', name: 'Seats', type: 'number' });
  const { body } = await org.tool('identify_person', {
    email: 'ann@example.com',
    custom_properties: { seats: 3 },
  });
  const seats = async (): Promise<unknown> =>
    (await org.tool('get_person', { person_id: body.person_id })).body.person.custom_properties.seats?.value;
  await vi.waitFor(async () => expect(await seats()).toBe(3), { timeout: 30_000, interval: 50 });
  expect(await listDeployments([restate.adminUrl])).toMatchObject([{ release: release() }]);
}, 60_000);

test('a long body is checked by a worker of the source', async () => {
  const org = await ourOrg();
  const draft = (html: string) => org.rest('POST /v1/broadcasts', { audience: 'everyone', html });
  expect((await draft('<p>Hello</p>'.repeat(2_000))).status).toBe(201);
  expect((await draft(`${'<p>Hello</p>'.repeat(2_000)}<script>alert(1)</script>`)).status).toBe(400);
}, 60_000);
