import { expect, test } from 'vitest';
import { FieldTarget } from '../../src/domain/imports/record/mapping.ts';
import { checksums } from '../support/furnish.ts';
import { addProperty, append, draftOf, map, mapped } from '../support/import.ts';
import { asProblem, problem } from '../support/problem.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

/** Which tables differ from what they were, but for what every call writes. */
async function changedSince(before: Record<string, string>): Promise<string[]> {
  const after = await checksums(world().admin);
  return Object.keys(after).filter(
    (table) => after[table] !== before[table] && !['audit_log', 'rate_windows', 'api_keys'].includes(table),
  );
}

test('IMP-001 rows before a saved mapping are refused, and nothing is staged', async () => {
  const org = await world().newOrg();
  const { import_id } = await draftOf(org, ['Mail']);
  const path = `/v1/imports/${import_id}/rows`;
  const refused = await org.rest(`POST ${path}`, { rows: [{ Mail: 'a@example.com' }] });
  expect(asProblem(refused)).toEqual(problem(409, 'import_not_mapped', path));
  await map(org, import_id, { Mail: 'email' });
  expect(await append(org, import_id, [{ Mail: 'a@example.com' }])).toMatchObject({
    accepted: 1,
    next_row: 2,
  });
});

test('IMP-004 IMP-005 IMP-006 creating, mapping and appending write nothing to people', async () => {
  const org = await world().newOrg();
  await addProperty(org, 'plan_tier');
  await org.person({ email: 'known@example.com', first_name: 'Sam' });
  const mapping = {
    Mail: 'email',
    First: 'first_name',
    Out: 'unsubscribed_from_emails',
    Tier: { property: 'plan_tier' },
    Seats: { new_property: { key: 'seats', name: 'Seats', type: 'number' } },
  };
  const row = { Mail: 'known@example.com', First: 'Kim', Out: 'yes', Tier: 'gold', Seats: 3 };
  const before = await checksums(world().admin);
  const { import_id } = await draftOf(org, Object.keys(mapping), [row]);
  expect(await changedSince(before)).toEqual(['imports']);
  await map(org, import_id, mapping);
  expect(await changedSince(before)).toEqual(['imports']);
  await append(org, import_id, [row, { ...row, Mail: 'new@example.com' }, { ...row, Mail: 'nobody' }]);
  expect(await changedSince(before)).toEqual(['import_failures', 'import_parts', 'imports']);
});

test('IMP-012 IMP-014 a draft takes a name, its columns and samples, and describes each column', async () => {
  const org = await world().newOrg();
  const sent = { name: ' Spring ', columns: ['Mail', 'Other'], sample_rows: [{ Mail: 'a@example.com' }] };
  const { status, body } = await org.rest('POST /v1/imports', sent);
  expect(status).toBe(201);
  expect(body).toMatchObject({
    status: 'draft',
    columns: [
      { column: 'Mail', suggested: 'email' },
      { column: 'Other', suggested: null },
    ],
  });
  const byTool = await org.tool('create_import', { name: 'Spring', columns: ['Mail'] });
  expect(byTool).toMatchObject({ isError: false, body: { columns: [{ column: 'Mail', suggested: null }] } });
});

test('IMP-013 twenty sample rows are accepted, twenty-one refused', async () => {
  const org = await world().newOrg();
  const samples = (n: number) => Array.from({ length: n }, (_, at) => ({ Mail: `p${at}@example.com` }));
  const send = (n: number) =>
    org.rest('POST /v1/imports', { name: 'x', columns: ['Mail'], sample_rows: samples(n) });
  expect((await send(20)).status).toBe(201);
  const refused = await send(21);
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '/sample_rows' }] } });
});

test('IMP-017 every field target is listed, every property of the organization, and the form of a new one', async () => {
  const org = await world().newOrg();
  const other = await world().newOrg();
  await addProperty(org, 'plan_tier');
  await addProperty(org, 'seats', 'number');
  await addProperty(other, 'not_ours');
  const { targets } = await draftOf(org, ['Mail']);
  expect(targets.map(({ target }: { target: unknown }) => target)).toEqual([
    ...FieldTarget.options,
    { property: 'plan_tier' },
    { property: 'seats' },
    { new_property: { key: expect.any(String), name: expect.any(String), type: 'string' } },
  ]);
  // Each of them is a target indeed: a mapping with any of them is saved.
  for (const { target } of targets) {
    await expect(
      mapped(org, { who: 'anonymous_id', it: target === 'anonymous_id' ? 'skip' : target }),
    ).resolves.toEqual(expect.any(String));
  }
});

test.each([
  ['no columns', { columns: [] }, '/columns'],
  ['a hundred and one columns', { columns: Array.from({ length: 101 }, (_, at) => `c${at}`) }, '/columns'],
  ['two columns of one name', { columns: ['a', 'b', 'a'] }, '/columns'],
  ['a column without a name', { columns: ['a', ''] }, '/columns/1'],
  ['a column no object can carry', '{"name":"x","columns":["__proto__"]}', '/columns/0'],
  ['no name', { name: ' ' }, '/name'],
  ['samples of a strange column', { sample_rows: [{}, { b: 1 }] }, '/sample_rows/1/b'],
  ['samples that are no cells', { sample_rows: [{ a: [1] }] }, '/sample_rows/0/a'],
])('IMP-012 %s is refused at its place', async (_, sent, pointer) => {
  const org = await world().newOrg();
  const body = typeof sent === 'string' ? sent : { name: 'x', columns: ['a'], ...sent };
  const refused = await org.rest('POST /v1/imports', body);
  expect(asProblem(refused)).toEqual(problem(400, 'invalid_request', '/v1/imports'));
  expect(refused.body.errors).toMatchObject([{ pointer }]);
});
