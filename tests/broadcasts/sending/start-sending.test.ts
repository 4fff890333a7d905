import { beforeAll, expect, test } from 'vitest';
import { beginSending, type StartDelivery } from '../../../src/domain/broadcasts/sending/begin-sending.ts';
import { contentsOf } from '../../support/org-contents.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { countingDelivery, newAlarm } from './start-alarm.ts';

const world = useWorld();
let org: TestOrg;
beforeAll(async () => {
  org = await world().newOrg();
});

const minute = 60_000;

const newScheduled = () => newAlarm(world(), org);

const deliveriesOf = async (id: string): Promise<number> => {
  const { rowCount } = await world().admin.query(
    `select 1 from outbox where service = 'Delivery' and payload ->> 'broadcast_id' = $1`,
    [id],
  );
  return rowCount ?? 0;
};

test('SCH-011 an alarm before its time changes nothing and says how long to wait', async () => {
  const { ring } = await newScheduled();
  const { calls, deliver } = countingDelivery();
  const before = await contentsOf(world().admin, org);
  expect(await ring(-1, deliver)).toEqual({ outcome: 'early', waitMs: 1 });
  expect(await ring(-90 * minute, undefined)).toEqual({ outcome: 'early', waitMs: 90 * minute });
  expect([calls.length, await contentsOf(world().admin, org)]).toEqual([0, before]);
});

test.each([0, 1, 60 * minute])('SCH-004 at its time, %i ms after it, sending begins', async (afterMs) => {
  const { id, sendAt, ring, read } = await newScheduled();
  const { calls, deliver } = countingDelivery();
  expect(await ring(afterMs, deliver)).toEqual({ outcome: 'began' });
  const started_at = new Date(sendAt + afterMs).toISOString();
  expect(await read()).toMatchObject({
    status: 'sending',
    error: null,
    timing: { started_at, finished_at: null },
  });
  expect(calls).toMatchObject([{ revision: 2, now: new Date(started_at) }]);
  expect(await deliveriesOf(id)).toBe(1);
  // The same alarm once more, early or late, finds it begun.
  for (const again of [0, -minute, 90 * minute])
    expect(await ring(again, deliver)).toEqual({ outcome: 'moved_on' });
  expect([calls.length, await deliveriesOf(id), (await read()).status]).toEqual([1, 1, 'sending']);
});

test('when the delivery cannot start, nothing has changed, and the next alarm begins it', async () => {
  const { id, ring } = await newScheduled();
  const { calls, deliver } = countingDelivery();
  const before = await contentsOf(world().admin, org);
  const failing: StartDelivery = async (...handed) => {
    await deliver(...handed);
    throw new Error('no room');
  };
  await expect(ring(0, failing)).rejects.toThrow('no room');
  expect([calls.length, await contentsOf(world().admin, org)]).toEqual([1, before]);
  expect(await ring(0, deliver)).toEqual({ outcome: 'began' });
  expect([calls.length, await deliveriesOf(id)]).toEqual([2, 1]);
});

test('over an hour late nothing goes out: it is an error with the reason, and a person decides', async () => {
  const { id, ring, read } = await newScheduled();
  const { calls, deliver } = countingDelivery();
  expect(await ring(60 * minute + 1, deliver)).toEqual({ outcome: 'failed' });
  expect(await read()).toMatchObject({
    status: 'error',
    error: expect.stringContaining(
      'It could not start within an hour of its time, so nothing was sent. Unschedule it to make it a draft again.',
    ),
    timing: { started_at: null, finished_at: null },
    counts: { recipients: 0, sent: 0, skipped: 0, failed: 0 },
  });
  expect(await ring(0, deliver)).toEqual({ outcome: 'moved_on' });
  expect([calls.length, await deliveriesOf(id)]).toEqual([0, 0]);
  expect((await org.rest(`DELETE /v1/broadcasts/${id}`)).status).toBe(200);
});

test.each([
  [60 * minute, 'began'],
  [60 * minute + 1, 'failed'],
])(
  'what a test clock leapt over is late from the leap on: %i ms after it, it %s',
  async (afterMs, outcome) => {
    const tested = await world().newOrg();
    const leap = new Date();
    world().clock.now = () => leap;
    const { id } = await newAlarm(world(), tested);
    expect((await tested.rest('POST /v1/test-clock', { advance: 3 * 86_400 })).body.released).toBe(1);
    world().clock.now = () => new Date();
    const alarm = { org_id: tested.id, broadcast_id: id, revision: 2 };
    const { calls, deliver } = countingDelivery();
    const now = new Date(leap.getTime() + afterMs);
    expect(await beginSending(world().database, alarm, now, deliver)).toEqual({ outcome });
    expect(calls).toHaveLength(outcome === 'began' ? 1 : 0);
  },
);

test('without a delivery it is an error that says so', async () => {
  const { ring, read } = await newScheduled();
  expect(await ring(0, undefined)).toEqual({ outcome: 'failed' });
  const error =
    'This installation has no delivery set up, so nothing was sent. Unschedule it to make it a draft again.';
  expect(await read()).toMatchObject({ status: 'error', error, timing: { started_at: null } });
});

test('SCH-011 an alarm of another revision, of another state or of nothing does nothing', async () => {
  const { id, ring } = await newScheduled();
  const { calls, deliver } = countingDelivery();
  const ringAll = async () => {
    const before = await contentsOf(world().admin, org);
    for (const revision of [1, 3]) expect(await ring(0, deliver, revision)).toEqual({ outcome: 'moved_on' });
    expect(await contentsOf(world().admin, org)).toEqual(before);
  };
  await ringAll();
  await org.rest(`POST /v1/broadcasts/${id}/unschedule`);
  for (const status of ['draft', 'sent', 'stopped', 'error']) {
    await world().admin.query('update broadcasts set status = $2 where id = $1', [id, status]);
    await ringAll();
  }
  await org.rest(`DELETE /v1/broadcasts/${id}`);
  await ringAll();
  expect(calls).toEqual([]);
});

test('an alarm finds only the broadcasts of its own organization', async () => {
  const { id, sendAt, read } = await newScheduled();
  const other = await world().newOrg();
  const alarm = { org_id: other.id, broadcast_id: id, revision: 2 };
  const { calls, deliver } = countingDelivery();
  expect(await beginSending(world().database, alarm, new Date(sendAt), deliver)).toEqual({
    outcome: 'moved_on',
  });
  expect([calls.length, (await read()).status]).toEqual([0, 'scheduled']);
});

test.each([
  ['began', 0, countingDelivery().deliver],
  ['failed', 0, undefined],
  ['failed', 61 * minute, countingDelivery().deliver],
] as const)(
  'an alarm that %s is in the audit log, once and as the service (%i ms late)',
  async (outcome, late, deliver) => {
    const { id, ring } = await newScheduled();
    expect(await ring(-minute, deliver)).toMatchObject({ outcome: 'early' });
    expect(await ring(late, deliver)).toEqual({ outcome });
    expect(await ring(late, deliver)).toEqual({ outcome: 'moved_on' });
    const { rows } = await world().admin.query(
      `select operation, actor_kind, actor_id, face, address, request_id, ids from audit_log
     where ids ->> 'broadcast_id' = $1 and operation not in ('create_broadcast', 'schedule_broadcast')`,
      [id],
    );
    expect(rows).toEqual([
      {
        operation: outcome === 'began' ? 'begin_sending' : 'fail_to_begin',
        actor_kind: 'service',
        actor_id: 'broadcast_start',
        face: 'engine',
        address: null,
        request_id: `alarm ${id} 2`,
        ids: { broadcast_id: id },
      },
    ]);
  },
);
