import { expect, test } from 'vitest';
import { append, mapped, stagedOf, withRows } from '../support/import.ts';
import { asProblem, problem } from '../support/problem.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const mapping = { Mail: 'email', Name: 'first_name' };
const rows = ['a@example.com', 'b at example.com', 'c@example.com', 'd@'].map((Mail, at) => ({
  Mail,
  Name: `P${at + 1}`,
}));

const mend = (org: TestOrg, import_id: string, row: number, cells: Record<string, unknown>) =>
  org.rest(`POST /v1/imports/${import_id}/mend`, { row, cells });

const numbersOf = async (import_id: string): Promise<number[]> =>
  (await stagedOf(world(), import_id)).rows.map(({ row }) => row);

test('a mended row is staged under its own number, in file order, and is rejected no more', async () => {
  const org = await world().newOrg();
  const import_id = await withRows(org, mapping, rows);
  expect(await numbersOf(import_id)).toEqual([1, 3]);
  const { status, body } = await mend(org, import_id, 2, { Mail: 'b@example.com', Name: 'P2' });
  expect({ status, body }).toEqual({
    status: 200,
    body: { import_id, row: 2, rejected: null, total_rows: 3, rejected_rows: 1 },
  });
  expect(await numbersOf(import_id)).toEqual([1, 2, 3]);
  const { body: told } = await org.rest(`GET /v1/imports/${import_id}?outcome=rejected`);
  expect(told).toMatchObject({ total_rows: 3, rejected_rows: 1, total: 1, failed_rows: [{ row: 4 }] });
  const { body: preview } = await org.rest(`POST /v1/imports/${import_id}/preview`, {});
  expect(preview).toMatchObject({ rows: 3, people_to_create: 3 });
});

test('a row that still does not fit stays rejected, with the new reason', async () => {
  const org = await world().newOrg();
  const import_id = await withRows(org, mapping, rows);
  const { body } = await mend(org, import_id, 2, { Name: 'P2' });
  expect(body).toMatchObject({ rejected: { code: 'no_identifier' }, total_rows: 2, rejected_rows: 2 });
  const { body: told } = await org.rest(`GET /v1/imports/${import_id}?outcome=rejected`);
  expect(told.failed_rows).toMatchObject([
    { row: 2, code: 'no_identifier' },
    { row: 4, code: 'not_an_email' },
  ]);
});

test('rows are mended where all of a call were rejected, and in an import that is full', async () => {
  const org = await world().newOrg();
  const import_id = await mapped(org, mapping);
  await append(org, import_id, [{ Mail: 'a' }, { Mail: 'b' }, { Mail: 'c' }]);
  await append(org, import_id, [{ Mail: 'd@example.com' }]);
  await world().admin.query('update imports set last_row = 50000 where id = $1', [import_id]);
  for (const row of [3, 1]) await mend(org, import_id, row, { Mail: `p${row}@example.com` });
  expect(await numbersOf(import_id)).toEqual([1, 3, 4]);
});

test('a row that was not rejected, and a preview from before, are refused', async () => {
  const org = await world().newOrg();
  const import_id = await withRows(org, mapping, rows);
  const path = `/v1/imports/${import_id}/mend`;
  for (const row of [1, 5]) {
    const refused = await mend(org, import_id, row, { Mail: 'x@example.com' });
    expect(asProblem(refused)).toEqual(problem(404, 'not_found', path));
  }
  const { body: preview } = await org.rest(`POST /v1/imports/${import_id}/preview`, {});
  await mend(org, import_id, 2, { Mail: 'b@example.com' });
  const { body } = await org.rest('POST /v1/imports/commit', { commit_token: preview.commit_token });
  expect(body).toMatchObject({ code: 'import_changed' });
});
