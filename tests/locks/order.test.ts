import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountLockOrder, atAnyTime, lockOrder, ofPeople } from '../../src/database/lock-order.ts';
import { Failure } from '../../src/kernel/failure.ts';
import { Random } from '../segments/random.ts';
import { seed, volume } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { judgeOrder } from './judge-order.ts';
import { actions } from './run-pairs.ts';
import { arrangeStage } from './stage.ts';
import { watchOrder, type OrderWatch } from './watch-order.ts';

const world = useWorld();
let watch: OrderWatch | undefined;
let watchedOrg = '';

beforeAll(async () => {
  watch = await watchOrder(world().databaseUrl, () => watchedOrg);
});
afterAll(() => watch?.close());

test('every operation that writes and every step of the engine takes its locks in one order', async () => {
  const random = new Random(seed);
  const [wrong, watched] = [new Set<string>(), new Set<string>()];
  for (let round = 0; round < volume(10); round++) {
    const stage = await arrangeStage(world(), watch!.database, random);
    watchedOrg = stage.org.id;
    watch!.drain();
    // In another order each time: what there is to be locked is what others left.
    for (const name of Object.keys(actions).toSorted(() => random.next() - 0.5)) {
      await stage.look();
      await actions[name]!(stage).catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error;
      });
      for (const steps of watch!.drain()) {
        if (steps.length > 0) watched.add(name);
        for (const found of judgeOrder(steps)) wrong.add(`${name}: ${found}`);
      }
    }
    await stage.admin.end();
  }
  expect([...wrong]).toEqual([]);
  // A watch that sees nothing would be content with anything.
  expect(watched.size).toBeGreaterThan(Object.keys(actions).length / 2);
});

test('the watch sees locks on rows that references and triggers take, and advisory ones', async () => {
  const stage = await arrangeStage(world(), watch!.database, new Random(seed));
  watchedOrg = stage.org.id;
  await stage.look();
  watch!.drain();
  await stage.call('register_for_webinar', {
    webinar_id: stage.there.webinars[0],
    user: { email: 'e7@example.com', properties: { tier: 'x' } },
  });
  const seen = new Set(
    watch!
      .drain()
      .flatMap((steps) => steps.flatMap(({ taken }) => taken))
      .map(({ what }) => what),
  );
  expect([...seen]).toEqual(expect.arrayContaining(['people', 'lock clock', 'webinars', 'property_configs']));
  await stage.admin.end();
});

test('every table has a place in the order, once', async () => {
  const { rows } = await world().admin.query<{ name: string }>(
    `select relname::text as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  const placed = [...lockOrder.flat(), ...ofPeople, ...atAnyTime];
  expect(placed.filter((name, at) => placed.indexOf(name) !== at)).toEqual([]);
  const tables = rows.map(({ name }) => name).filter((name) => name !== 'schema_migrations');
  expect(tables.filter((name) => !placed.includes(name))).toEqual([]);
});

test('every table of accounts has a place in their order, once', async () => {
  const { rows } = await world().admin.query<{ name: string }>(
    "select relname::text as name from pg_class where relnamespace = 'auth'::regnamespace and relkind = 'r' order by 1",
  );
  expect(accountLockOrder.flat().toSorted()).toEqual(rows.map(({ name }) => name));
});

test('the judge bites: the ledger before people, a lower id after a higher one, a lock without a place', () => {
  const step = (statement: string, what: string, id = '') => ({ statement, taken: [{ what, id }] });
  expect(judgeOrder([step('a', 'people', '1'), step('b', 'deliveries'), step('c', 'broadcasts')])).toEqual(
    [],
  );
  expect(judgeOrder([step('a', 'deliveries'), step('b', 'people', '1')])).toEqual([
    'people after deliveries: a THEN b',
  ]);
  expect(judgeOrder([step('a', 'people', '2'), step('b', 'people', '1')])).toEqual([
    'people out of the order of ids: b',
  ]);
  expect(
    judgeOrder([
      step('a', 'lock clock'),
      step('select from people for key share skip locked', 'people', '1'),
    ]),
  ).toEqual([]);
  expect(judgeOrder([step('a', 'new_things')])).toEqual(['new_things has no place in the order: a']);
});
