import { expect, test } from 'vitest';
import { runImport } from '../../src/domain/imports/commit/run-import.ts';
import { commitChunk } from '../../src/domain/imports/commit/commit-chunk.ts';
import type { ImportId } from '../../src/kernel/ids.ts';
import { inService } from '../support/in-service.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { committing, runParts, takeChunk, type Given } from './committing.ts';

const world = useWorld();

const many = (count: number, also: (at: number) => Given = () => ({})): Given[] =>
  Array.from({ length: count }, (_, at) => ({ email: `p${at}@example.com`, ...also(at) }));

const read = async (org: TestOrg, id: ImportId) => (await org.rest(`GET /v1/imports/${id}`)).body;

const one = async (question: string, values: unknown[]) =>
  (await world().admin.query(question, values)).rows[0];

const peopleOf = async (org: TestOrg): Promise<number> =>
  (await one('select count(*)::int as n from people where org_id = $1', [org.id])).n;

const partsOf = async (id: ImportId): Promise<number> =>
  (await one('select count(*)::int as n from import_parts where import_id = $1', [id])).n;

test('IMP-003 IMP-070 chunk after chunk the numbers move on and balance, and the rows are forgotten', async () => {
  const org = await world().newOrg();
  const id = await committing(world(), org, { rows: many(25), partRows: 4 });
  const seen = [];
  for (let chunk = await takeChunk(world(), org, id, 10); chunk?.rows !== 0;) {
    const { status, total_rows, processed_rows, succeeded, failed, skipped, pending } = await read(org, id);
    expect(succeeded + failed + skipped + pending).toBe(total_rows);
    expect(processed_rows).toBe(succeeded + failed);
    seen.push([chunk?.outcome, status, succeeded, pending, await partsOf(id)]);
    chunk = await takeChunk(world(), org, id, 10);
  }
  expect(seen).toEqual([
    ['more', 'committing', 10, 15, 5],
    ['more', 'committing', 20, 5, 2],
    ['done', 'completed', 25, 0, 0],
  ]);
  expect(await peopleOf(org)).toBe(25);
  expect(await takeChunk(world(), org, id)).toEqual({ outcome: 'not_committing', rows: 0 });
  const kept = await one('select run_at, sample_rows, finished_at from imports where id = $1', [id]);
  expect(kept).toMatchObject({ run_at: null, sample_rows: null, finished_at: expect.any(Date) });
});

test('rows that were rejected leave gaps in the numbers, and calls of one row make many parts: all are taken', async () => {
  for (const partRows of [1, 3, 500]) {
    for (const mostRows of [1, 2, 7, 1_000]) {
      const org = await world().newOrg();
      const rows = many(12, (at) => ({ row: 2 * at + (at > 4 ? 700 : 1) }));
      const id = await committing(world(), org, { rows, partRows });
      let chunk = await takeChunk(world(), org, id, mostRows);
      for (let most = 20; most > 0 && chunk?.outcome === 'more'; most--) {
        expect(chunk.rows).toBeGreaterThan(0);
        expect(chunk.rows).toBeLessThanOrEqual(mostRows);
        chunk = await takeChunk(world(), org, id, mostRows);
      }
      expect(await read(org, id)).toMatchObject({ status: 'completed', succeeded: 12, pending: 0 });
      expect([await peopleOf(org), await partsOf(id)]).toEqual([12, 0]);
    }
  }
}, 240_000);

test('a chunk that is cut off before its end leaves nothing, and is taken again', async () => {
  const org = await world().newOrg();
  const id = await committing(world(), org, { rows: many(30), partRows: 10 });
  const cutOff = () =>
    inService(world(), org, async (work) => {
      await commitChunk(work, id, { mostRows: 10, tellAgainAt: new Date() });
      throw new Error('the process was killed');
    });
  for (const done of [0, 10, 20]) {
    await expect(cutOff()).rejects.toThrow('killed');
    expect(await read(org, id)).toMatchObject({ status: 'committing', succeeded: done, pending: 30 - done });
    expect(await peopleOf(org)).toBe(done);
    await takeChunk(world(), org, id, 10);
  }
  expect(await read(org, id)).toMatchObject({ status: 'completed', succeeded: 30, people_created: 30 });
  expect(await peopleOf(org)).toBe(30);
});

test('several at one import take every row once; whoever comes second in a chunk leaves', async () => {
  const org = await world().newOrg();
  const id = await committing(world(), org, { rows: many(6_000) });
  const ran = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const ref = { org_id: org.id, import_id: id };
      let [rows, busy] = [0, 0];
      for (;;) {
        const { outcome, rows: taken } = await runImport(runParts(world()), ref);
        rows += taken;
        if (outcome === 'busy') busy++;
        if (outcome === 'done' || outcome === 'not_committing') return { rows, busy };
      }
    }),
  );
  expect(ran.reduce((sum, { rows }) => sum + rows, 0)).toBe(6_000);
  expect(ran.some(({ busy }) => busy > 0)).toBe(true);
  expect(await read(org, id)).toMatchObject({ status: 'completed', succeeded: 6_000, people_created: 6_000 });
  expect(await peopleOf(org)).toBe(6_000);
}, 240_000);

test('a chunk writes one audit row, by the service, that names the import and nobody', async () => {
  const org = await world().newOrg();
  const id = await committing(world(), org, { rows: many(20), partRows: 10 });
  for (const most of [10, 10]) await takeChunk(world(), org, id, most);
  const { rows } = await world().admin.query(
    `select actor_kind, ids from audit_log where org_id = $1 and operation = 'import_run'`,
    [org.id],
  );
  expect(rows).toEqual([1, 2].map(() => ({ actor_kind: 'service', ids: { import_id: id } })));
});
