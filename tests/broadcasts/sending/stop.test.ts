import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { stopBroadcast } from '../../../src/domain/broadcasts/sending/stop-broadcast.ts';
import { addDelivery, began, newSending } from '../../support/arrange-ledger.ts';
import { schedule, readyDraft } from '../../support/broadcast.ts';
import { waysTo } from '../../support/call-operation.ts';
import { contentsOf } from '../../support/org-contents.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { putInState } from '../draft/draft-ways.ts';
import { newAlarm } from './start-alarm.ts';

// Answers are looked into by tests, not typed twice.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

const world = useWorld();
const ways = waysTo(stopBroadcast).map((way) => ({
  name: way.name,
  stop: async (org: TestOrg, broadcast_id: string) =>
    (await way.call(org, { broadcast_id })) as { status: number; body: Json },
}));

const later = '2030-01-01T00:00:00Z';

async function newLanes(org: TestOrg, id: string, count: number): Promise<void> {
  await world().admin.query(
    `insert into delivery_lanes (org_id, broadcast_id, lane, next_at)
     select $1, $2, n, $4 from generate_series(0, $3::int - 1) n`,
    [org.id, id, count, later],
  );
}

const rowsOf = async (table: string, org: TestOrg): Promise<Json[]> =>
  (await world().admin.query(`select * from ${table} where org_id = $1 order by 1, 2, 3`, [org.id])).rows;

test.each(ways)('$name stops what is being sent, and wakes its lanes to clear up', async ({ stop }) => {
  const org = await world().newOrg();
  const [id, other] = [await newSending(world(), org), await newSending(world(), org)];
  await newLanes(org, id, 2);
  await newLanes(org, other, 1);
  for (const state of ['sent', 'uncertain', 'pending', 'pending', 'sending']) {
    await addDelivery(world(), org, id, null, { state });
  }
  await world().admin.query('delete from outbox where org_id = $1', [org.id]);
  const { rows: before } = await world().admin.query('select revision::int from broadcasts where id = $1', [
    id,
  ]);
  const { status, body } = await stop(org, id);
  expect(status).toBe(200);
  expect(body.broadcast).toMatchObject({
    id,
    status: 'stopped',
    timing: { started_at: began, finished_at: null },
  });
  expect(body.message).toBe(
    'Stopped. 1 have it, 1 may have it; 3 were still to get it and will not, but for messages in hand at this moment.',
  );
  expect((await org.rest(`GET /v1/broadcasts/${id}`)).body.broadcast).toEqual(body.broadcast);
  const { rows: after } = await world().admin.query('select revision::int from broadcasts where id = $1', [
    id,
  ]);
  expect(after[0].revision).toBe(before[0].revision + 1);
  const told = (await rowsOf('outbox', org)).map(({ service, handler, payload }) => ({
    service,
    handler,
    payload,
  }));
  expect(told).toEqual(
    [0, 1].map((lane) => ({
      service: 'BroadcastRun',
      handler: 'send',
      payload: { org_id: org.id, lane: `${id}/${lane}` },
    })),
  );
  for (const lane of await rowsOf('delivery_lanes', org)) {
    const isWoken = lane.next_at.getTime() < Date.parse(later);
    expect(isWoken).toBe(lane.broadcast_id === id);
  }
  // Who was still to come is cleared up by the lanes; the stop itself touches nobody.
  const { rows } = await world().admin.query(`select state from deliveries where broadcast_id = $1`, [id]);
  expect(rows.filter(({ state }) => state === 'skipped')).toEqual([]);
  const audit = (await rowsOf('audit_log', org)).filter(({ operation }) => operation === 'stop_broadcast');
  expect(audit).toMatchObject([{ actor_id: org.keyId, ids: { broadcast_id: id } }]);
});

test.each(ways)(
  '$name answers the same when it was stopped already, and changes nothing',
  async ({ stop }) => {
    const org = await world().newOrg();
    const id = await newSending(world(), org);
    await newLanes(org, id, 1);
    const first = await stop(org, id);
    const before = await contentsOf(world().admin, org);
    const again = await stop(org, id);
    expect(again.status).toBe(200);
    expect(again.body.broadcast).toEqual(first.body.broadcast);
    expect(again.body.message).toBe('It was stopped already. 0 have it; nobody is left waiting.');
    expect(await contentsOf(world().admin, org)).toEqual(before);
  },
);

test('whoever was not lined up yet is told of', async () => {
  const org = await world().newOrg();
  const id = await newSending(world(), org, { prepared_at: null });
  expect((await ways[0]!.stop(org, id)).body.message).toMatch(
    /Whoever was not lined up yet will not get it either\.$/,
  );
});

test.each(['draft', 'scheduled', 'sent', 'error'])(
  'a broadcast in the state %s is not being sent, and is not stopped',
  async (status) => {
    const org = await world().newOrg();
    const { id } = await readyDraft(world(), org);
    if (status === 'scheduled') await schedule(org, id);
    else if (status !== 'draft') await putInState(world(), id, status);
    const before = await contentsOf(world().admin, org);
    for (const { stop } of ways) {
      const { status: code, body } = await stop(org, id);
      expect([code, body.code]).toEqual([409, 'not_sending']);
      expect(body.detail).toMatch(
        { draft: /draft/, scheduled: /Unschedule/, sent: /sent/, error: /failed/ }[status]!,
      );
    }
    expect(await contentsOf(world().admin, org)).toEqual(before);
  },
);

test('a broadcast that nobody has is not found', async () => {
  const org = await world().newOrg();
  for (const { stop } of ways) {
    expect(await stop(org, randomUUID())).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
});

test('stopping and beginning at once: it began and was stopped, or it was not to be stopped yet; never both lost', async () => {
  const org = await world().newOrg();
  for (let round = 0; round < 12; round++) {
    const { id, ring, read } = await newAlarm(world(), org);
    const [begun, stopped] = await Promise.all([
      ring(0, async () => undefined),
      round % 2 === 0
        ? ways[0]!.stop(org, id)
        : new Promise((resolve) => setTimeout(resolve, round)).then(() => ways[0]!.stop(org, id)),
    ]);
    expect(begun).toEqual({ outcome: 'began' });
    const { status } = await read();
    expect(status).toBe(stopped.status === 200 ? 'stopped' : 'sending');
  }
});

test('twenty who stop at once stop it once', async () => {
  const org = await world().newOrg();
  const id = await newSending(world(), org);
  await newLanes(org, id, 2);
  const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => ways[at % 2]!.stop(org, id)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const audit = (await rowsOf('audit_log', org)).filter(({ operation }) => operation === 'stop_broadcast');
  expect(audit).toHaveLength(1);
  expect((await rowsOf('outbox', org)).filter(({ service }) => service === 'BroadcastRun')).toHaveLength(2);
});
