import pg from 'pg';
import { expect, test } from 'vitest';
import { rearm } from '../../src/durable/sweep.ts';
import { withRows } from '../support/import.ts';
import { measured } from '../support/measured.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { openInvocations } from '../support/idle.ts';
import { committing } from './committing.ts';
import { commit, ended, readImport } from './through-engine.ts';

const world = useWorld({ engine: true });

const mapping = { Id: 'external_user_id', Mail: 'email', First: 'first_name', Wants: 'subscribed_to_emails' };
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    Id: `u-${at}`,
    Mail: `p${at}@example.com`,
    First: `First ${at}`,
    Wants: at % 10 === 0 ? 'no' : 'yes',
  }));

test(
  'IMP-003 IMP-007 IMP-070 people come in after commit_import answered, and progress balances at every look',
  { ...measured, timeout: 240_000 },
  async () => {
    const org = await world().newOrg();
    const many = isLong ? 20_000 : 10_000;
    const known = await org.person({ email: 'known@example.com' });
    const id = await withRows(org, mapping, rowsOf(many));
    await commit(org, id);
    const looks: Record<string, number>[] = [];
    const took: number[] = [];
    const start = performance.now();
    for (let status = ''; status !== 'completed';) {
      const began = performance.now();
      expect((await org.rest(`GET /v1/people/${known}`)).status).toBe(200);
      took.push(performance.now() - began);
      const look = await readImport(org, id);
      ({ status } = look);
      expect(['committing', 'completed']).toContain(status);
      looks.push(look);
      const list = (await org.rest('GET /v1/imports')).body.data_imports;
      expect(list[0]).toMatchObject({ id, total_rows: many });
    }
    for (const { total_rows, succeeded, failed, skipped, pending, processed_rows, people_created } of looks) {
      expect(succeeded! + failed! + skipped! + pending!).toBe(total_rows);
      expect(processed_rows).toBe(succeeded! + failed!);
      expect(people_created).toBe(succeeded);
    }
    expect(looks[0]!['succeeded']).toBeLessThan(many);
    expect(new Set(looks.map(({ succeeded }) => succeeded)).size).toBeGreaterThan(5);
    expect(looks.at(-1)).toMatchObject({
      succeeded: many,
      people_created: many,
      people_opted_out: many / 10,
    });
    // Whoever reads people meanwhile does not wait for it, on a machine of whatever speed.
    const slow = took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.95)]!;
    expect(slow).toBeLessThan(Math.max(1_000, (performance.now() - start) / 4));
  },
);

test('IMP-008 an import that was committed cannot be canceled, while it runs or later, and goes on', async () => {
  const org = await world().newOrg();
  const id = await withRows(org, mapping, rowsOf(3_000));
  await commit(org, id);
  const canceled = await org.rest(`DELETE /v1/imports/${id}`);
  expect([canceled.status, canceled.body.code]).toEqual([409, 'import_committed']);
  const done = await ended(org, id);
  expect(done).toMatchObject({ status: 'completed', succeeded: 3_000, finished_at: expect.any(String) });
  expect(Date.parse(done.finished_at)).toBeGreaterThan(Date.parse(done.committed_at));
  const again = await org.rest(`DELETE /v1/imports/${id}`);
  expect([again.status, again.body.code]).toEqual([409, 'import_committed']);
  expect((await readImport(org, id)).succeeded).toBe(3_000);
});

test('what the engine and the log are told of an import are ids', async () => {
  const org = await world().newOrg();
  const id = await withRows(org, mapping, [{ Id: 'u-1', Mail: 'hidden@example.com', First: 'Hidden' }]);
  await commit(org, id);
  await ended(org, id);
  await expect
    .poll(() => world().logLines.filter((line) => line.includes('an import ended') && line.includes(id)))
    .toHaveLength(1);
  expect(world().logLines.filter((line) => /hidden/i.test(line))).toEqual([]);
});

test('whoever died with an import in hand holds it up for moments only', async () => {
  const org = await world().newOrg();
  const id = await committing(world(), org, { rows: [{ email: 'a@example.com' }] });
  const dead = new pg.Client({ connectionString: world().databaseUrl });
  await dead.connect();
  await dead.query('begin');
  await dead.query('select 1 from imports where id = $1 for update', [id]);
  await rearm(world().database, new Date());
  // It was looked at, and will be again: nothing else is left to do.
  const later = async () => (await openInvocations(world())).map((one) => 'scheduled_start_at' in one);
  await expect.poll(later).toEqual([true]);
  expect(await readImport(org, id)).toMatchObject({ status: 'committing', pending: 1 });
  await dead.end();
  // It is looked at every two seconds; the sweep would come half a minute later.
  expect(await ended(org, id, 25_000)).toMatchObject({ status: 'completed', succeeded: 1 });
});
