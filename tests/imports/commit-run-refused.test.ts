import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { runImport } from '../../src/domain/imports/commit/run-import.ts';
import type { ImportId } from '../../src/kernel/ids.ts';
import type { TestOrg } from '../support/test-org.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { committing, runParts, type Given } from './committing.ts';

const world = useWorld();

beforeEach(() => plant('23514'));
afterEach(() => world().admin.query('drop trigger if exists refuse on identifiers'));

/** The database refuses whoever is called cursed, in the words of one of its errors. */
async function plant(code: string): Promise<void> {
  await world().admin.query(`
    create or replace function refuse() returns trigger language plpgsql as $$
    begin raise exception 'cursed' using errcode = '${code}'; end $$;
    create or replace trigger refuse before insert on identifiers
      for each row when (new.value like 'cursed%') execute function refuse()`);
}

const rowsWith = (count: number, cursed: (row: number) => boolean): Given[] =>
  Array.from({ length: count }, (_, at) => ({
    email: `${cursed(at + 1) ? 'cursed' : 'fine'}${at + 1}@example.com`,
  }));

async function runToEnd(org: TestOrg, id: ImportId): Promise<string> {
  for (;;) {
    const { outcome } = await runImport(runParts(world()), { org_id: org.id, import_id: id });
    if (outcome !== 'more') return outcome;
  }
}

const read = async (org: TestOrg, id: ImportId, query = '') =>
  (await org.rest(`GET /v1/imports/${id}${query}`)).body;

test('IMP-071 rows that the database refuses fail one by one with a reason, and all others go in', async () => {
  const org = await world().newOrg();
  const many = isLong ? 2_300 : 1_150;
  const cursed = new Set([1, 2, 700, 1_100, many]);
  const id = await committing(world(), org, { rows: rowsWith(many, (row) => cursed.has(row)) });
  expect(await runToEnd(org, id)).toBe('done');
  const done = await read(org, id);
  expect(done).toMatchObject({
    status: 'completed_with_failures',
    succeeded: many - 5,
    failed: 5,
    pending: 0,
    people_created: many - 5,
    total: 5,
  });
  expect(done.failed_rows.map(({ row, code }: Record<string, unknown>) => [row, code])).toEqual(
    [...cursed].map((row) => [row, 'unexpected']),
  );
  expect(done.failed_rows[0].reason).toMatch(/refused this row \(23514\).*import it again/);
  const { rows } = await world().admin.query('select count(*)::int as n from people where org_id = $1', [
    org.id,
  ]);
  expect(rows).toEqual([{ n: many - 5 }]);
}, 240_000);

test('an import whose every row fails has failed', async () => {
  const org = await world().newOrg();
  const id = await committing(world(), org, { rows: rowsWith(40, () => true) });
  expect(await runToEnd(org, id)).toBe('done');
  expect(await read(org, id)).toMatchObject({
    status: 'failed',
    succeeded: 0,
    failed: 40,
    people_created: 0,
  });
}, 240_000);

test.each(['22003', '21000', '54000', 'P0001'])('so does what it refuses with %s', async (code) => {
  await plant(code);
  const org = await world().newOrg();
  const id = await committing(world(), org, { rows: rowsWith(9, (row) => row === 5) });
  expect(await runToEnd(org, id)).toBe('done');
  expect(await read(org, id)).toMatchObject({ succeeded: 8, failed: 1, failed_rows: [{ row: 5 }] });
});

test('a value that is taken at every try fails its row in the end', async () => {
  // The pauses between tries are by chance, and here none.
  const chance = vi.spyOn(Math, 'random').mockReturnValue(0);
  onTestFinished(() => chance.mockRestore());
  await plant('23505');
  const org = await world().newOrg();
  const id = await committing(world(), org, { rows: rowsWith(3, (row) => row === 2) });
  expect(await runToEnd(org, id)).toBe('done');
  expect(await read(org, id)).toMatchObject({ succeeded: 2, failed: 1, failed_rows: [{ row: 2 }] });
}, 600_000); // forty tries of each size

test.each(['53200', '57P01', '55P03', '08006'])('a database in trouble (%s) fails no row', async (code) => {
  await plant(code);
  const org = await world().newOrg();
  const id = await committing(world(), org, { rows: rowsWith(9, (row) => row === 5) });
  await expect(runToEnd(org, id)).rejects.toMatchObject({ code });
  expect(await read(org, id)).toMatchObject({ status: 'committing', succeeded: 0, failed: 0, pending: 9 });
  await world().admin.query('drop trigger refuse on identifiers');
  expect(await runToEnd(org, id)).toBe('done');
  expect(await read(org, id)).toMatchObject({ status: 'completed', succeeded: 9 });
});

test('what takes too long is tried with fewer rows; the one that does so alone fails, and the rest goes in', async () => {
  await plant('57014');
  const org = await world().newOrg();
  const id = await committing(world(), org, { rows: rowsWith(9, (row) => row === 5) });
  expect(await runToEnd(org, id)).toBe('done');
  expect(await read(org, id)).toMatchObject({ succeeded: 8, failed: 1, failed_rows: [{ row: 5 }] });
});
