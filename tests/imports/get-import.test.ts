import { expect, test } from 'vitest';
import { append, draftOf, map } from '../support/import.ts';
import { measured } from '../support/measured.ts';
import { useWorld } from '../support/world.ts';
import { committing } from './committing.ts';
import { readImport } from './through-engine.ts';

const world = useWorld();

test('a draft shows its columns, then its mapping, and what of its rows was rejected', async () => {
  const org = await world().newOrg();
  const { import_id } = await draftOf(org, ['Mail', 'First'], [{ Mail: 'a@example.com' }]);
  expect(await readImport(org, import_id)).toEqual({
    id: import_id,
    status: 'draft',
    name: 'People of spring',
    file_name: expect.any(String),
    created_at: expect.any(String),
    columns: ['Mail', 'First'],
    mapping: null,
    total_rows: 0,
    rejected_rows: 0,
    processed_rows: 0,
    succeeded: 0,
    failed: 0,
    skipped: 0,
    pending: 0,
    merges: null,
    people_created: 0,
    people_merged: 0,
    people_opted_out: 0,
    committed_at: null,
    finished_at: null,
    failed_rows: [],
    total: 0,
    limit: 50,
    offset: 0,
  });
  const mapping = { Mail: 'email', First: 'first_name' };
  await map(org, import_id, mapping);
  await append(org, import_id, [{ Mail: 'a@example.com' }, { Mail: 'nonsense' }, { Mail: 'b@example.com' }]);
  const mapped = await readImport(org, import_id, '?outcome=rejected');
  expect(mapped).toMatchObject({
    status: 'mapped',
    mapping,
    total_rows: 2,
    rejected_rows: 1,
    pending: 2,
    total: 1,
  });
  expect(mapped.failed_rows).toMatchObject([{ row: 2, outcome: 'rejected', reason: expect.any(String) }]);
  const { body } = await org.tool('get_import', { import_id, outcome: 'rejected' });
  expect(body).toEqual(mapped);
});

test(
  'IMP-070 IMP-071 fifty thousand failures are read page by page in the order of the file, quickly',
  measured,
  async () => {
    const org = await world().newOrg();
    const id = await committing(world(), org, { rows: [{ email: 'a@example.com' }] });
    await world().admin.query(
      `insert into import_failures select $1, $2, n, 'failed', 'unexpected', 'The reason of row ' || n
     from generate_series(1, 50000) n order by random()`,
      [org.id, id],
    );
    await world().admin.query(
      `insert into import_failures select $1, $2, n, 'rejected', 'no_identifier', 'Rejected' from generate_series(1, 9) n`,
      [org.id, id],
    );
    await world().admin.query(
      `update imports set status = 'failed', staged_rows = 50001, failed = 50000, skipped = 1, rejected_rows = 9
     where id = $1`,
      [id],
    );
    const first = await readImport(org, id, '?limit=200');
    expect(first).toMatchObject({ total: 50_000, limit: 200, offset: 0, processed_rows: 50_000, pending: 0 });
    expect(first.failed_rows).toHaveLength(200);
    expect(first.failed_rows[199]).toEqual({
      row: 200,
      outcome: 'failed',
      code: 'unexpected',
      reason: 'The reason of row 200',
    });
    const took: number[] = [];
    for (let time = 0; time < 3; time++) {
      const began = performance.now();
      await readImport(org, id, '?limit=200&offset=49900');
      took.push(performance.now() - began);
    }
    // Some milliseconds; what else the machine has to do is not counted against it.
    expect(Math.min(...took)).toBeLessThan(500);
    const last = await readImport(org, id, '?limit=200&offset=49900');
    expect(last.failed_rows.map(({ row }: { row: number }) => row)).toEqual(
      Array.from({ length: 100 }, (_, at) => 49_901 + at),
    );
    expect(await readImport(org, id, '?outcome=rejected&limit=5')).toMatchObject({ total: 9 });
    expect(await readImport(org, id, '?outcome=skipped')).toMatchObject({ total: 1, failed_rows: [] });
  },
);

test('an import of another organization is not found, nor is one that nobody has', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  const { import_id } = await draftOf(other, ['Mail']);
  const answers = await Promise.all([
    org.rest(`GET /v1/imports/${import_id}`),
    org.rest('GET /v1/imports/00000000-0000-4000-8000-000000000000'),
  ]);
  expect(answers.map(({ status, body }) => [status, body.code, body.detail])).toEqual(
    [1, 2].map(() => [404, 'not_found', expect.stringContaining('list_data_imports')]),
  );
  const { status, body } = await org.rest(`GET /v1/imports/${import_id}?outcome=lost`);
  expect([status, body.errors]).toMatchObject([400, [{ pointer: '/outcome' }]]);
});
