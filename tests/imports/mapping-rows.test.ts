import { expect, test } from 'vitest';
import { addProperty, append, map, mapped, stagedOf } from '../support/import.ts';
import { asProblem, problem } from '../support/problem.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

/** All that is kept of an import. */
async function contentsOf(import_id: string): Promise<unknown> {
  const { admin } = world();
  const row = await admin.query('select * from imports where id = $1', [import_id]);
  const rejected = await admin.query(
    'select row, code from import_failures where import_id = $1 order by row',
    [import_id],
  );
  return { row: row.rows[0], rejected: rejected.rows, ...(await stagedOf(world(), import_id)) };
}

const rows = [{ Mail: 'a@example.com' }, { Mail: 'nobody' }, { Mail: 'c@example.com', Name: 'Ana' }];

test('IMP-020 a changed mapping is refused once there are rows, and nothing is lost', async () => {
  const org = await world().newOrg();
  const import_id = await mapped(org, { Mail: 'email', Name: 'first_name' });
  await append(org, import_id, rows);
  const before = await contentsOf(import_id);
  const path = `/v1/imports/${import_id}/mapping`;
  for (const more of [{}, { discard_rows: false }]) {
    const refused = await org.rest(`PUT ${path}`, { mapping: { Mail: 'email', Name: 'last_name' }, ...more });
    expect(asProblem(refused)).toEqual(problem(409, 'import_has_rows', path));
  }
  expect(await contentsOf(import_id)).toEqual(before);
});

test('IMP-020 rows that were all rejected are rows as well', async () => {
  const org = await world().newOrg();
  const import_id = await mapped(org, { Mail: 'email' });
  await append(org, import_id, [{ Mail: 'nobody' }]);
  const refused = await org.rest(`PUT /v1/imports/${import_id}/mapping`, { mapping: { Mail: 'phone' } });
  expect(refused).toMatchObject({ status: 409, body: { code: 'import_has_rows' } });
});

test('IMP-020 the same mapping again keeps the rows, however its properties are written', async () => {
  const org = await world().newOrg();
  const config = await addProperty(org, 'plan_tier');
  const import_id = await mapped(org, { Mail: 'email', Tier: { property: 'plan_tier' } });
  await append(org, import_id, [{ Mail: 'a@example.com', Tier: 'x' }]);
  await org.rest(`PATCH /v1/property-configs/${config}`, { name: 'Another name' });
  const before = await contentsOf(import_id);
  await map(org, import_id, { Tier: { property: 'planTier' }, Mail: 'email' });
  expect(await contentsOf(import_id)).toEqual(before);
});

test('IMP-020 a property that was deleted and made again is another one', async () => {
  const org = await world().newOrg();
  const config = await addProperty(org, 'plan_tier');
  const mapping = { Mail: 'email', Tier: { property: 'plan_tier' } };
  const import_id = await mapped(org, mapping);
  await append(org, import_id, [{ Mail: 'a@example.com', Tier: 'x' }]);
  await org.rest(`DELETE /v1/property-configs/${config}`);
  await addProperty(org, 'plan_tier', 'number');
  const refused = await org.rest(`PUT /v1/imports/${import_id}/mapping`, { mapping });
  expect(refused).toMatchObject({ status: 409, body: { code: 'import_has_rows' } });
});

test.each([
  ['another mapping', { Mail: 'email', Name: 'last_name' }],
  ['the same mapping', { Mail: 'email', Name: 'first_name' }],
])('IMP-021 with discard_rows %s lets go of the rows, and numbers begin anew', async (_, mapping) => {
  const org = await world().newOrg();
  const import_id = await mapped(org, { Mail: 'email', Name: 'first_name' });
  await append(org, import_id, rows);
  await map(org, import_id, mapping, { discard_rows: true });
  expect(await contentsOf(import_id)).toMatchObject({
    row: {
      last_row: '0',
      staged_rows: '0',
      rejected_rows: '0',
      revision: '3',
      mapping: { targets: mapping },
    },
    rejected: [],
    rows: [],
    parts: [],
  });
  const answer = await append(org, import_id, rows);
  expect(answer).toMatchObject({ total_rows: 2, next_row: 4, rejected_rows: [{ row: 2 }] });
  expect((await stagedOf(world(), import_id)).rows.map(({ row }) => row)).toEqual([1, 3]);
});

test('IMP-021 a mapping with an error discards nothing', async () => {
  const org = await world().newOrg();
  const import_id = await mapped(org, { Mail: 'email', Name: 'first_name' });
  await append(org, import_id, rows);
  const before = await contentsOf(import_id);
  const sent = { mapping: { Mail: 'skip', Name: 'skip' }, discard_rows: true };
  expect((await org.rest(`PUT /v1/imports/${import_id}/mapping`, sent)).status).toBe(400);
  expect(await contentsOf(import_id)).toEqual(before);
});
