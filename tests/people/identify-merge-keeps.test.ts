import { expect, test } from 'vitest';
import { followingTables } from '../../src/domain/people/merge/merge-people.ts';
import {
  addRow,
  personColumn,
  personTables,
  rowsOf,
  type PersonTable,
  type Row,
} from '../support/person-rows.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

/** What a merge folds together in ways of its own instead of handing the rows over. */
const foldedTables = [
  'identifiers',
  'property_values',
  'registrations',
  'opt_outs',
  'email_blacklist',
  'merged_people',
  'workflow_runs',
] as const;

/**
 * The ledger has no foreign keys, because checking one costs as much as writing a row: deletion and merging name it. A
 * wait goes with its run, which has one, and repeats whose it is.
 */
const namedTables = ['deliveries', 'waits'] as const;

test('no table refers to people without being handled by a merge', async () => {
  const { rows } = await world().admin.query<{ name: string; person: string }>(
    `select c.conrelid::regclass::text as name, a.attname as person
     from pg_constraint c
     join pg_class t on t.oid = c.conrelid and not t.relispartition
     join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey) and a.attname <> 'org_id'
     where c.contype = 'f' and c.confrelid = 'people'::regclass
       -- Pages repeat property_values and follow them: see property-pages.test.ts.
       and c.conrelid <> 'property_pages'::regclass order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual([...followingTables, ...foldedTables].toSorted());
  // A table that is new here also needs a row in the tests below.
  const named = namedTables.map((name) => ({ name, person: 'person_id' }));
  expect([...rows, ...named].map(({ name, person }) => `${name}.${person}`).toSorted()).toEqual(
    personTables.map((table) => `${table}.${personColumn(table)}`).toSorted(),
  );
});

test('no column names a person without a foreign key that deletion and merging can follow, but for the ledger and waits', async () => {
  const { rows } = await world().admin.query<{ name: string }>(
    `select a.attrelid::regclass::text as name, a.attname
     from pg_attribute a join pg_class t on t.oid = a.attrelid
     where t.relkind in ('r', 'p') and not t.relispartition and t.relnamespace = 'public'::regnamespace
       and (a.attname like '%person_id' or a.attname = 'survivor_id')
       and not exists (select 1 from pg_constraint c where c.conrelid = a.attrelid and c.contype = 'f'
         and c.confrelid = 'people'::regclass and a.attnum = any (c.conkey)) order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(namedTables);
});

test.each(personTables)('a merge brings the rows of %s to the survivor', async (table) => {
  const org = await world().newOrg();
  const { survivor, loser, merge } = await twoPeople(org);
  const row = await addRow(world().admin, org.id, table, loser);
  const bystander = await org.person({ email: 'bystander@example.com' });
  const stays = await addRow(world().admin, org.id, table, bystander);
  await merge();
  const moved = await rowsOf(world().admin, org.id, table, survivor);
  expect(moved.map((one) => essence(table, one))).toContainEqual(
    essence(table, { ...row, [personColumn(table)]: survivor }),
  );
  expect(await rowsOf(world().admin, org.id, table, loser)).toEqual([]);
  expect(await rowsOf(world().admin, org.id, table, bystander)).toContainEqual(stays);
});

test.each([
  ['the one who is merged away', 'loser'],
  ['the survivor', 'survivor'],
] as const)(
  'of two registrations for one webinar the earlier is kept, with the attendance of either, when it is %s who has it',
  async (_, earlier) => {
    const org = await world().newOrg();
    const people = await twoPeople(org);
    const first = await addRow(world().admin, org.id, 'registrations', people[earlier]);
    const { rows } = await world().admin.query<Row>(
      `insert into registrations (org_id, id, webinar_id, person_id, registered_at, attended)
     values ($1, gen_random_uuid(), $2, $3, $4::timestamptz + interval '1 minute', $5) returning *`,
      [
        org.id,
        first['webinar_id'],
        earlier === 'loser' ? people.survivor : people.loser,
        first['registered_at'],
        earlier === 'loser',
      ],
    );
    expect(rows).toHaveLength(1);
    const { survivor, merge } = people;
    await merge();
    expect(await rowsOf(world().admin, org.id, 'registrations', survivor)).toEqual([
      { ...first, person_id: survivor, attended: earlier === 'loser' },
    ]);
  },
);

test.each([
  ['only the one who is merged away was opted out', {}, { email_opt_out: true, sms_opt_out: true }],
  ['only the survivor was opted out', { email_opt_out: true, sms_opt_out: true }, {}],
  ['the other had opted in', { email_opt_out: true }, { email_opt_out: false, sms_opt_out: true }],
  ['each was opted out of one', { sms_opt_out: true }, { email_opt_out: true }],
])('opt-outs survive a merge, when %s', async (_, ofSurvivor, ofLoser) => {
  const org = await world().newOrg();
  const { survivor, loser, merge } = await twoPeople(org);
  for (const [person, optOuts] of [
    [survivor, ofSurvivor],
    [loser, ofLoser],
  ] as const) {
    if (Object.keys(optOuts).length > 0) await org.rest(`PATCH /v1/people/${person}/opt-outs`, optOuts);
  }
  await merge();
  const { body } = await org.tool('get_opt_outs', { person_id: survivor });
  expect(body.opt_outs).toEqual({ email_opt_out: true, sms_opt_out: true });
});

test('blacklist entries of both survive a merge, one an address, and still keep the person from deletion', async () => {
  const org = await world().newOrg();
  const { survivor, loser, merge } = await twoPeople(org);
  const own = await addRow(world().admin, org.id, 'email_blacklist', survivor);
  const other = await addRow(world().admin, org.id, 'email_blacklist', loser);
  await world().admin.query(
    `insert into email_blacklist (org_id, id, person_id, email, reason, created_at)
     values ($1, gen_random_uuid(), $2, $3, 'complained', now())`,
    [org.id, loser, own['email']],
  );
  await merge();
  const kept = await rowsOf(world().admin, org.id, 'email_blacklist', survivor);
  expect(new Set(kept.map(({ email }) => email))).toEqual(new Set([own['email'], other['email']]));
  expect(kept).toHaveLength(2);
  expect((await org.tool('delete_person', { person_id: survivor })).body.code).toBe('suppressed');
});

test('the survivor keeps its property values and gains those it lacked, a cleared one among them', async () => {
  const org = await world().newOrg();
  for (const key of ['plan', 'city', 'cleared']) {
    await org.rest('POST /v1/property-configs', { key, name: key, type: 'string' });
  }
  const { survivor, loser, merge } = await twoPeople(org);
  const set = (person_id: string, key: string, value: string | null) =>
    org.tool('set_person_property', { person_id, key, value });
  await set(survivor, 'plan', 'gold');
  await set(survivor, 'cleared', null);
  await set(loser, 'plan', 'silver');
  await set(loser, 'city', 'Oslo');
  await set(loser, 'cleared', 'filled');
  await merge();
  const { body } = await org.rest(`GET /v1/people/${survivor}/properties`);
  const values = body.properties.map((one: { key: string; value: unknown }) => [one.key, one.value]);
  expect(Object.fromEntries(values)).toEqual({ plan: 'gold', city: 'Oslo', cleared: 'filled' });
});

async function twoPeople(
  org: TestOrg,
): Promise<{ survivor: string; loser: string; merge: () => Promise<void> }> {
  const [email, phone] = ['ann@example.com', '+15550100'];
  const survivor = await org.person({ email });
  const loser = await org.person({ phone });
  return {
    survivor,
    loser,
    merge: async () => {
      expect((await org.tool('identify_person', { email, phone })).body.person_id).toBe(survivor);
    },
  };
}

/** A row as a merge must keep it: those that are written anew may have another id, and say when. */
function essence(table: PersonTable, row: Row): Row {
  const { id, updated_at: _, ...rest } = row;
  return table === 'email_blacklist' || table === 'opt_outs' ? rest : { id, ...rest };
}
