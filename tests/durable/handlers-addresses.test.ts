import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { restateEngine } from '../../src/durable/engine.ts';
import { startLocalRestate, type LocalRestate } from '../../src/main/local-restate.ts';
import { listDeployments } from '../../src/main/restate-admin.ts';
import { openSwitchedPort } from '../faults/switched-port.ts';
import { startHandlersProcess, type HandlersProcess } from '../support/handlers-process.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
let restate: LocalRestate;
let started: HandlersProcess[] = [];

beforeAll(async () => {
  restate = await startLocalRestate();
});
afterEach(async () => {
  await Promise.all(started.map((one) => one.end('SIGKILL')));
  started = [];
});
afterAll(async () => {
  await restate.stop();
  await restate.remove();
});

async function start(
  env: Record<string, string> = {},
  databaseUrl = world().databaseUrl,
): Promise<HandlersProcess> {
  const handlers = await startHandlersProcess({ restate, databaseUrl, env });
  started.push(handlers);
  return handlers;
}

const addresses = async (): Promise<string[]> =>
  (await listDeployments([restate.adminUrl])).map(({ uri }) => new URL(uri).host);
/** Whether the engine has a handler do something. */
const works = async (): Promise<boolean> =>
  (await restateEngine([restate.ingressUrl]).ask(
    { name: 'Fence', key: 'nobody', handler: 'read' },
    { lane: 0, upTo: 1, most: 1 },
  )) !== undefined;

const refused = { code: 2, stderr: expect.stringMatching(/registered at .* set HANDLERS_URL to it/) };

test('of two handlers at two addresses the second says why it does not start, and the first goes on', async () => {
  const first = await start();
  expect(await first.listens).toBe(true);
  expect(await (await start()).listens).toMatchObject(refused);
  expect(await addresses()).toEqual([`127.0.0.1:${first.port}`]);
  expect(await works()).toBe(true);
});

test('when its address is dead, the second takes its place', async () => {
  const second = await start();
  expect(await second.listens).toBe(true);
  expect(await addresses()).toEqual([`127.0.0.1:${second.port}`]);
  expect(await works()).toBe(true);
});

test('of two that start at once, one refuses', async () => {
  const both = await Promise.all([start(), start()]);
  const came = await Promise.all(both.map(({ listens }) => listens));
  expect(came.filter((one) => one === true)).toHaveLength(1);
  expect(came.find((one) => one !== true)).toMatchObject(refused);
  expect(await works()).toBe(true);
});

test('behind one address both serve, and either goes on alone', async () => {
  const balancer = await openSwitchedPort();
  const env = { HANDLERS_URL: `http://127.0.0.1:${balancer.port}` };
  const [first, second] = [await start(env), await start(env)];
  balancer.switchTo(first.port);
  expect([await first.listens, await second.listens]).toEqual([true, true]);
  expect(await addresses()).toEqual([`127.0.0.1:${balancer.port}`]);
  expect(await works()).toBe(true);
  await first.end('SIGKILL');
  balancer.switchTo(second.port);
  expect(await works()).toBe(true);
  await balancer.close();
});

test('handlers that start before their database wait for it', async () => {
  const url = new URL(world().databaseUrl);
  const server = Number(url.port || 5432);
  const door = await openSwitchedPort();
  url.port = String(door.port);
  const handlers = await start({}, url.href);
  await expect.poll(() => door.refused).toBeGreaterThan(3);
  door.switchTo(server);
  expect(await handlers.listens).toBe(true);
  expect(await works()).toBe(true);
  await door.close();
});
