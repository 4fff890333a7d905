import { expect, test, vi } from 'vitest';
import { runImport } from '../../src/domain/imports/commit/run-import.ts';
import type { MappedProperty } from '../../src/domain/imports/record/mapping.ts';
import type { ImportId } from '../../src/kernel/ids.ts';
import { addProperty } from '../support/import.ts';
import { finishRemovals } from '../support/removals.ts';
import type { TestOrg } from '../support/test-org.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { committing, runParts, takeChunk, type Given } from './committing.ts';
import { holderOf, readImport } from './through-engine.ts';

const world = useWorld();

async function runToEnd(org: TestOrg, id: ImportId): Promise<void> {
  for (let outcome = ''; outcome !== 'done';)
    ({ outcome } = await runImport(runParts(world()), { org_id: org.id, import_id: id }));
}

async function newProperty(org: TestOrg, key: string): Promise<MappedProperty> {
  const config_id = await addProperty(org, key);
  return { column: key.toUpperCase(), key, name: key, type: 'string', config_id };
}

test('IMP-071 rows that came to merge after the preview fail under block and are skipped under skip_rows', async () => {
  const org = await world().newOrg();
  await org.person({ external_user_id: 'u-1' });
  await org.person({ email: 'a@example.com' });
  const rows = [
    { external_user_id: 'u-1', email: 'a@example.com', first_name: 'Nobody' },
    { email: 'b@example.com' },
  ];
  const blocked = await committing(world(), org, { rows, merges: 'block' });
  await runToEnd(org, blocked);
  expect(await readImport(org, blocked)).toMatchObject({
    status: 'completed_with_failures',
    succeeded: 1,
    failed: 1,
    skipped: 0,
    processed_rows: 2,
    failed_rows: [
      { row: 1, outcome: 'failed', code: 'merges', reason: expect.stringMatching(/import the row/i) },
    ],
  });
  const skipping = await committing(world(), org, { rows, merges: 'skip_rows' });
  await runToEnd(org, skipping);
  expect(await readImport(org, skipping, '?outcome=skipped')).toMatchObject({
    status: 'completed',
    succeeded: 1,
    failed: 0,
    skipped: 1,
    processed_rows: 1,
    failed_rows: [{ row: 1, outcome: 'skipped', code: 'merges' }],
    total: 1,
  });
  expect(await readImport(org, skipping)).toMatchObject({ failed_rows: [], total: 0 });
  expect(await holderOf(world(), org, 'u-1')).toMatchObject({ primary_email: null, first_name: null });
});

test('IMP-071 rows with a value for a property that is gone fail, and the others go on', async () => {
  const org = await world().newOrg();
  const properties = [await newProperty(org, 'plan'), await newProperty(org, 'tier')];
  const rows: Given[] = Array.from({ length: 20 }, (_, at) => ({
    email: `p${at}@example.com`,
    values: [at % 2 === 0 ? 'secret' : null, 'kept'],
  }));
  const id = await committing(world(), org, { rows, properties, partRows: 10 });
  await takeChunk(world(), org, id, 10);
  const { status } = await org.rest(`DELETE /v1/property-configs/${properties[0]!.config_id}`);
  expect(status).toBe(200);
  await runToEnd(org, id);
  const done = await readImport(org, id);
  expect(done).toMatchObject({ status: 'completed_with_failures', succeeded: 15, failed: 5 });
  expect(done.failed_rows.map(({ row, code }: { row: number; code: string }) => [row, code])).toEqual(
    [11, 13, 15, 17, 19].map((row) => [row, 'property_gone']),
  );
  expect(done.failed_rows[0].reason).toContain('PLAN');
  expect(JSON.stringify(done)).not.toContain('secret');
  expect(await holderOf(world(), org, 'p10@example.com')).toBeUndefined();
  expect(await holderOf(world(), org, 'p11@example.com')).toMatchObject({ properties: { tier: 'kept' } });
});

test('deleting properties while their values are written is never an error, and leaves no value behind', async () => {
  const org = await world().newOrg();
  const rowsThat = { succeeded: 0, failed: 0 };
  const many = isLong ? 3_000 : 1_500;
  for (let round = 0; round < 4; round++) {
    const properties = [await newProperty(org, `a${round}`), await newProperty(org, `b${round}`)];
    const rows: Given[] = Array.from({ length: many }, (_, at) => ({
      email: `p${at}@example.com`,
      values: ['x', at % 2 === 0 ? 'y' : null],
    }));
    const id = await committing(world(), org, { rows, properties, partRows: 250 });
    const deleting = async () => {
      // At once, and when some rows, half of them and most of them are in.
      const enough = async () => {
        const { status, pending } = await readImport(org, id);
        return status !== 'committing' || many - pending >= (many * round) / 4;
      };
      await vi.waitUntil(enough, { timeout: 60_000, interval: 40 });
      return Promise.all(properties.map((one) => org.rest(`DELETE /v1/property-configs/${one.config_id}`)));
    };
    const [deleted] = await Promise.all([deleting(), runToEnd(org, id)]);
    expect(deleted.map(({ status }) => status)).toEqual([200, 200]);
    const done = await readImport(org, id);
    expect(done.succeeded + done.failed).toBe(many);
    rowsThat.succeeded += done.succeeded;
    rowsThat.failed += done.failed;
    const codes = await world().admin.query(
      'select distinct code from import_failures where import_id = $1',
      [id],
    );
    expect(codes.rows.every(({ code }) => code === 'property_gone')).toBe(true);
  }
  // Some were deleted in the middle.
  expect(Math.min(rowsThat.succeeded, rowsThat.failed)).toBeGreaterThan(0);
  await finishRemovals(world(), org);
  const { rows } = await world().admin.query('select 1 from property_values where org_id = $1', [org.id]);
  expect(rows).toEqual([]);
}, 240_000);

test('two imports of the same people at once both come to their end, and make nobody twice', async () => {
  const org = await world().newOrg();
  const properties = [await newProperty(org, 'plan')];
  const many = isLong ? 4_000 : 2_000;
  const rowsOf = (from: 'email' | 'external_user_id'): Given[] =>
    Array.from({ length: many }, (_, at) => ({
      email: `p${from === 'email' ? at : many - 1 - at}@example.com`,
      ...(from === 'external_user_id' && { external_user_id: `u-${many - 1 - at}` }),
      values: [from],
      first_name: from,
    }));
  const ids = await Promise.all([
    committing(world(), org, { rows: rowsOf('email'), properties }),
    committing(world(), org, { rows: rowsOf('external_user_id'), properties }),
  ]);
  await Promise.all(ids.map((id) => runToEnd(org, id)));
  const done = await Promise.all(ids.map((id) => readImport(org, id)));
  for (const one of done) expect(one).toMatchObject({ status: 'completed', succeeded: many, failed: 0 });
  expect(done[0].people_created + done[1].people_created).toBe(many);
  const { rows } = await world().admin.query(
    `select count(*)::int as people, count(primary_email)::int as emails, count(external_user_id)::int as ids
     from people where org_id = $1`,
    [org.id],
  );
  expect(rows).toEqual([{ people: many, emails: many, ids: many }]);
}, 240_000);
