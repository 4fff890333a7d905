import { expect, test } from 'vitest';
import { commit } from '../support/import-preview.ts';
import { useWorld } from '../support/world.ts';
import { previewed } from './previewed.ts';

const world = useWorld();

const one = async (question: string, values: unknown[]) =>
  (await world().admin.query(question, values)).rows[0];

test('IMP-007 commit_import answers before anybody is created, and leaves the rest to the engine', async () => {
  const { org, id, token } = await previewed(world());
  const people = () => one('select count(*)::int as n from people where org_id = $1', [org.id]);
  const before = await people();
  const { status, body } = await commit(org, token);
  expect([status, body]).toEqual([200, { import_id: id, status: 'committing' }]);
  expect(await people()).toEqual(before);
  const { body: told } = await org.rest(`GET /v1/imports/${id}`);
  expect(told).toMatchObject({ status: 'committing', succeeded: 0, failed: 0, pending: 3, merges: 'block' });
  expect(
    await one(`select service, handler, payload from outbox where payload->>'import_id' = $1`, [id]),
  ).toEqual({ service: 'ImportRun', handler: 'commit', payload: { org_id: org.id, import_id: id } });
});

test('a commit happens by the clock of the organization, and is told again by that of the service', async () => {
  const { org, id, token } = await previewed(world());
  await org.rest('POST /v1/test-clock', { advance: 3_000 });
  await commit(org, token);
  const row = await one('select committed_at, run_at, done_row from imports where id = $1', [id]);
  expect(row.committed_at - row.run_at).toBeGreaterThan(2_900_000);
  expect(Math.abs(row.run_at.getTime() - Date.now())).toBeLessThan(60_000);
  expect(row.done_row).toBe('0');
});

test('the audit row of a commit names the import and the properties it created, and no cell', async () => {
  const { org, id, token } = await previewed(world());
  await commit(org, token);
  const { ids } = await one(`select ids from audit_log where org_id = $1 and operation = 'commit_import'`, [
    org.id,
  ]);
  const { id: config } = await one(`select id from property_configs where org_id = $1 and key = 'size'`, [
    org.id,
  ]);
  expect(ids).toEqual({ import_id: id, config_ids: [config] });
  const { mapping } = await one('select mapping from imports where id = $1', [id]);
  expect(mapping.properties).toContainEqual(expect.objectContaining({ key: 'size', config_id: config }));
});
