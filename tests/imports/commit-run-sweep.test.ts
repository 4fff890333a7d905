import { beforeEach, expect, test } from 'vitest';
import { rearm, sweep } from '../../src/durable/sweep.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { committing, takeChunk } from './committing.ts';

const world = useWorld();

beforeEach(async () => {
  await world().admin.query('delete from imports');
  await world().admin.query('delete from outbox');
});

const outboxOf = async (org: TestOrg) =>
  (await world().admin.query('select service, handler, payload from outbox where org_id = $1', [org.id]))
    .rows;

const sweepIn = (seconds: number) => sweep(world().database, new Date(Date.now() + seconds * 1_000));

async function newCommitting() {
  const org = await world().newOrg();
  const rows = [{ email: 'a@example.com' }, { email: 'b@example.com' }];
  const id = await committing(world(), org, { rows, partRows: 1 });
  return {
    org,
    id,
    message: { service: 'ImportRun', handler: 'commit', payload: { org_id: org.id, import_id: id } },
  };
}

test('an import nothing was heard of is told again, not twice, and not before its time', async () => {
  const { org, id, message } = await newCommitting();
  await sweepIn(20);
  expect(await outboxOf(org)).toEqual([]);
  await sweepIn(31);
  await sweepIn(35);
  expect(await outboxOf(org)).toEqual([message]);
  await world().admin.query('delete from outbox');
  await takeChunk(world(), org, id, 1); // heard of: a minute more
  await sweepIn(80);
  expect(await outboxOf(org)).toEqual([]);
  await sweepIn(95);
  expect(await outboxOf(org)).toEqual([message]);
});

test("whether it is overdue is told by the service's clock, however far the organization's is ahead", async () => {
  const { org } = await newCommitting();
  await org.rest('POST /v1/test-clock', { advance: 86_400 });
  await world().admin.query('delete from outbox');
  await sweepIn(0);
  expect(await outboxOf(org)).toEqual([]);
});

test('rearm tells of every import that is committing, and neither tells of one that is a draft or ended', async () => {
  const { org, id, message } = await newCommitting();
  await takeChunk(world(), org, id, 1);
  await rearm(world().database, new Date());
  expect(await outboxOf(org)).toEqual([message]);
  await world().admin.query('delete from outbox');
  expect(await takeChunk(world(), org, id)).toMatchObject({ outcome: 'done' });
  await org.rest('POST /v1/imports', { name: 'A draft', columns: ['Mail'] });
  await rearm(world().database, new Date());
  await sweepIn(86_400);
  expect(await outboxOf(org)).toEqual([]);
});
