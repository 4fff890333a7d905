import { expect, test } from 'vitest';
import { draftOf, mapped, stagedOf } from '../support/import.ts';
import { asProblem, problem } from '../support/problem.ts';
import type { RestAnswer, TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

/** Rows that say whose they are and where they stand in their call. */
const rowsOf = (client: number, call: number, n: number) =>
  Array.from({ length: n }, (_, at) => ({ Id: `${client}/${call}/${at}` }));

test('IMP-049 while another call holds the import, appending, mapping and canceling are refused as busy', async () => {
  const org = await world().newOrg();
  const import_id = await mapped(org, { Id: 'external_user_id' });
  const { import_id: other } = await draftOf(org, ['Id']);
  const path = `/v1/imports/${import_id}`;
  const { admin } = world();
  await admin.query('begin');
  try {
    await admin.query('select from imports where id = $1 for update', [import_id]);
    const refused = [
      await org.rest(`POST ${path}/rows`, { rows: [{ Id: 'a' }] }),
      await org.rest(`PUT ${path}/mapping`, { mapping: { Id: 'phone' } }),
      await org.rest(`DELETE ${path}`),
    ];
    expect(refused.map(asProblem)).toEqual([
      problem(409, 'import_busy', `${path}/rows`),
      problem(409, 'import_busy', `${path}/mapping`),
      problem(409, 'import_busy', path),
    ]);
    for (const { headers } of refused) expect(headers.get('retry-after')).toBe('1');
    // Others are not in its way, and it can be read.
    expect((await org.rest(`PUT /v1/imports/${other}/mapping`, { mapping: { Id: 'phone' } })).status).toBe(
      200,
    );
    expect((await org.rest('GET /v1/imports')).body.data_imports).toHaveLength(2);
  } finally {
    await admin.query('rollback');
  }
  expect((await org.rest(`POST ${path}/rows`, { rows: [{ Id: 'a' }] })).status).toBe(200);
});

/** Sends a call until it is taken, and counts how often it was refused. */
async function insist(org: TestOrg, path: string, rows: unknown): Promise<RestAnswer & { refusals: number }> {
  for (let refusals = 0; ; refusals++) {
    const answer = await org.rest(`POST ${path}`, { rows });
    if (answer.status === 200) return { ...answer, refusals };
    expect(answer).toMatchObject({ status: 409, body: { code: 'import_busy' } });
  }
}

test('IMP-049 calls at once never interleave and lose no row: each that is taken has its rows in one piece', async () => {
  const org = await world().newOrg();
  const import_id = await mapped(org, { Id: 'external_user_id' });
  const path = `/v1/imports/${import_id}/rows`;
  const clients = 8;
  const calls = 6;
  const taken = await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const answers = [];
      for (let call = 0; call < calls; call++) {
        const n = 20 + ((client + call) % 5) * 40;
        answers.push({ client, call, n, ...(await insist(org, path, rowsOf(client, call, n))) });
      }
      return answers;
    }),
  );
  const all = taken.flat();
  // Otherwise nothing was at once and nothing is proven.
  expect(all.reduce((sum, { refusals }) => sum + refusals, 0)).toBeGreaterThan(clients);

  const { rows, parts } = await stagedOf(world(), import_id);
  const total = all.reduce((sum, { n }) => sum + n, 0);
  expect(rows.map(({ row }) => row)).toEqual(Array.from({ length: total }, (_, at) => at + 1));
  expect(parts).toHaveLength(clients * calls);
  const byNumber = new Map(rows.map(({ row, called }) => [row, called[0]]));
  for (const { client, call, n, body } of all) {
    const first = body.next_row - n;
    const stored = Array.from({ length: n }, (_, at) => byNumber.get(first + at));
    expect(stored).toEqual(rowsOf(client, call, n).map(({ Id }) => Id));
  }
  const { rows: counted } = await world().admin.query(
    'select last_row::int, staged_rows::int, revision::int from imports where id = $1',
    [import_id],
  );
  expect(counted).toEqual([{ last_row: total, staged_rows: total, revision: clients * calls + 1 }]);
}, 240_000);

test('IMP-049 appending and discarding at once leave the rows of one mapping only', async () => {
  const org = await world().newOrg();
  for (let round = 0; round < 10; round++) {
    const import_id = await mapped(org, { Id: 'external_user_id' });
    const path = `/v1/imports/${import_id}`;
    await Promise.all([
      insist(org, `${path}/rows`, rowsOf(0, round, 50)),
      org.rest(`PUT ${path}/mapping`, { mapping: { Id: 'phone' }, discard_rows: true }),
    ]);
    const { rows: kept } = await world().admin.query(
      `select mapping -> 'targets' ->> 'Id' as target, staged_rows::int from imports where id = $1`,
      [import_id],
    );
    const place = kept[0].target === 'phone' ? 4 : 0;
    const { rows } = await stagedOf(world(), import_id);
    expect(rows).toHaveLength(kept[0].staged_rows);
    expect(rows.every(({ called }) => called[place] !== null)).toBe(true);
  }
});
