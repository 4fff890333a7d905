import { beforeEach, expect, test } from 'vitest';
import { sweep } from '../../../src/durable/sweep.ts';
import { inHours, schedule, readyDraft } from '../../support/broadcast.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();
const day = 24 * 3_600_000;

beforeEach(async () => {
  // What other tests left scheduled would be told of as well.
  await world().admin.query(`delete from broadcasts`);
  await forget();
});

/** The engine lost everything, and nothing waits to be told to it. */
const forget = () => world().admin.query('delete from outbox');

const outboxOf = async (org: TestOrg) =>
  (
    await world().admin.query('select service, handler, payload from outbox where org_id = $1 order by id', [
      org.id,
    ])
  ).rows;

async function newScheduled() {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  const { delivery } = await schedule(org, id, inHours(24));
  const message = {
    service: 'BroadcastStart',
    handler: 'begin',
    payload: { org_id: org.id, broadcast_id: id, revision: '2' },
  };
  return { org, id: id as string, sendAt: Date.parse(delivery.send_at), message };
}

const sweepAt = (moment: number) => sweep(world().database, new Date(moment));

test('SCH-002 a broadcast that the engine forgot is told of again when it is overdue, and not twice', async () => {
  const { org, sendAt, message } = await newScheduled();
  expect(await outboxOf(org)).toEqual([message]);
  await forget();
  for (const early of [Date.now(), sendAt, sendAt + 29_999]) {
    await sweepAt(early);
    expect(await outboxOf(org)).not.toContainEqual(message);
  }
  await forget();
  await sweepAt(sendAt + 30_000);
  expect((await outboxOf(org)).filter(({ service }) => service === 'BroadcastStart')).toEqual([message]);
  await sweepAt(sendAt + 30_001);
  await sweepAt(sendAt + 60_000);
  expect((await outboxOf(org)).filter(({ service }) => service === 'BroadcastStart')).toEqual([message]);
});

test("SCH-002 whether it is overdue is told by its organization's clock", async () => {
  const [moved, unmoved] = [await newScheduled(), await newScheduled()];
  const { status } = await moved.org.rest('POST /v1/test-clock', { advance: day / 1000 + 60 });
  expect(status).toBe(200);
  await forget();
  await sweepAt(Date.now());
  expect(await outboxOf(moved.org)).toEqual([moved.message]);
  expect(await outboxOf(unmoved.org)).toEqual([]);
});

test('SCH-011 what is not scheduled is not told of: taken back, begun, failed or deleted', async () => {
  const { org, id, sendAt, message } = await newScheduled();
  await forget();
  const tell = async () => {
    await sweepAt(sendAt + day);
    const told = (await outboxOf(org)).filter(({ service }) => service === 'BroadcastStart');
    await forget();
    return told;
  };
  expect(await tell()).toEqual([message]);
  for (const status of ['sending', 'sent', 'stopped', 'error']) {
    await world().admin.query('update broadcasts set status = $2, started_at = now() where id = $1', [
      id,
      status,
    ]);
    expect(await tell()).toEqual([]);
  }
  await world().admin.query(`update broadcasts set status = 'scheduled', started_at = null where id = $1`, [
    id,
  ]);
  expect(await tell()).toEqual([message]);
  await org.rest(`POST /v1/broadcasts/${id}/unschedule`);
  expect(await tell()).toEqual([]);
  await org.rest(`DELETE /v1/broadcasts/${id}`);
  expect(await tell()).toEqual([]);
});

test('SCH-002 the alarm told again is that of the last scheduling', async () => {
  const { org, id, message } = await newScheduled();
  await org.rest(`POST /v1/broadcasts/${id}/unschedule`);
  const { delivery } = await schedule(org, id, inHours(30));
  await forget();
  await sweepAt(Date.parse(delivery.send_at) + 30_000);
  const told = (await outboxOf(org)).filter(({ service }) => service === 'BroadcastStart');
  expect(told).toEqual([{ ...message, payload: { ...message.payload, revision: '4' } }]);
});

test('what waits in the outbox for another broadcast keeps nobody from being told of', async () => {
  const [first, second] = [await newScheduled(), await newScheduled()];
  await forget();
  await sweepAt(second.sendAt + 60_000);
  expect(await outboxOf(first.org)).toContainEqual(first.message);
  expect(await outboxOf(second.org)).toContainEqual(second.message);
});
