// What others change between the look at a list's people and the moment they are held.
import { expect, test } from 'vitest';
import pg from 'pg';
import { identifyMany } from '../../src/domain/people/identify/identify-many.ts';
import { takeFields, type PersonSent } from '../../src/domain/people/identify/sent-person.ts';
import { inService } from '../support/in-service.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { newProperty } from '../properties/page-mirror.ts';

const world = useWorld();

const sent = (identifiers: PersonSent['identifiers'], values: PersonSent['values'] = {}): PersonSent => ({
  identifiers,
  fields: takeFields({}),
  values,
  optsOut: false,
});
const email = (value: string) => ({ type: 'email' as const, value });
const phone = (value: string) => ({ type: 'phone' as const, value });

/** Does `first` in a transaction, lets `second` come to wait for it, and commits. */
async function oneWaitsForTheOther<T>(
  first: readonly [string, unknown[]][],
  second: () => Promise<T>,
): Promise<T> {
  const other = new pg.Client({ connectionString: world().databaseUrl });
  await other.connect();
  await other.query('begin');
  for (const [statement, values] of first) await other.query(statement, values);
  const running = second();
  const waits = 'select 1 from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))';
  await expect.poll(async () => (await other.query(waits)).rowCount).toBeGreaterThan(0);
  await other.query('commit');
  await other.end();
  return running;
}

const takeList = (org: TestOrg, ...lines: PersonSent[]) =>
  inService(world(), org, (work) => identifyMany(work, lines, () => false));

const holderOf = async (org: TestOrg, value: string): Promise<string | undefined> => {
  const select = 'select person_id from identifiers where org_id = $1 and value = $2';
  return (await world().admin.query<{ person_id: string }>(select, [org.id, value])).rows[0]?.person_id;
};

test('an address that somebody loses while they are waited for is given to whoever the list means', async () => {
  const org = await world().newOrg();
  const person = await org.person({ email: 'ann@example.com', external_user_id: 'ann' });
  const done = await oneWaitsForTheOther(
    [
      ['select 1 from people where id = $1 for update', [person]],
      ["delete from identifiers where person_id = $1 and type = 'email'", [person]],
    ],
    () => takeList(org, sent([email('ann@example.com'), phone('+15550100001')])),
  );
  expect(done).toEqual({ outcomes: ['done'], created: 1, merged: 0, optedOut: 0 });
  const holder = await holderOf(org, 'ann@example.com');
  expect(holder).not.toBe(person);
  expect(await holderOf(org, '+15550100001')).toBe(holder);
});

test('an address that somebody else gains first stays theirs, and who has it is looked up again', async () => {
  const org = await world().newOrg();
  const ann = await org.person({ email: 'ann@example.com' });
  const bo = await org.person({ email: 'bo@example.com' });
  const done = await oneWaitsForTheOther(
    [
      [
        `insert into identifiers (org_id, id, person_id, type, value, created_at)
         values ($1, gen_random_uuid(), $2, 'phone', '+15550100002', now())`,
        [org.id, bo],
      ],
    ],
    () =>
      takeList(
        org,
        sent([email('ann@example.com'), phone('+15550100002')]),
        sent([phone('+15550100002'), phone('+15550100003')]),
      ),
  );
  // The first would merge the two by now.
  expect(done).toEqual({ outcomes: ['merges', 'done'], created: 0, merged: 0, optedOut: 0 });
  expect(await holderOf(org, 'ann@example.com')).toBe(ann);
  expect(await holderOf(org, '+15550100003')).toBe(bo);
});

test('a property that is deleted meanwhile makes it start over, not fail', async () => {
  const org = await world().newOrg();
  const property = await newProperty(org, 'color', 'string');
  let attempts = 0;
  const done = await oneWaitsForTheOther([['delete from property_configs where id = $1', [property]]], () =>
    inService(world(), org, async (work) => {
      attempts++;
      const config = await work.db
        .selectFrom('property_configs')
        .select('id')
        .where('org_id', '=', org.id)
        .executeTakeFirst();
      const values = config === undefined ? {} : { [config.id]: 'red' };
      return identifyMany(work, [sent([email('cy@example.com')], values)], () => true);
    }),
  );
  expect(done).toEqual({ outcomes: ['done'], created: 1, merged: 0, optedOut: 0 });
  expect(attempts).toBe(2);
  expect(await holderOf(org, 'cy@example.com')).toBeDefined();
});
