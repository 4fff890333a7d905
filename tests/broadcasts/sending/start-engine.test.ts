import { afterEach, expect, test } from 'vitest';
import { inHours, newDraft, newWebinar, schedule } from '../../support/broadcast.ts';
import { idle } from '../../support/idle.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld({ engine: true });
const now = () => new Date();
afterEach(() => {
  world().clock.now = now;
});

const read = async (org: TestOrg, id: string) => (await org.rest(`GET /v1/broadcasts/${id}`)).body.broadcast;
/** It began, and there was nobody to write to. */
const wentOut = { status: 'sent', error: null };

/** How the alarms of a broadcast rang, as the handlers logged it. */
const rungOf = (id: string): string[] =>
  world()
    .logLines.map((line) => JSON.parse(line))
    .filter(({ msg, broadcast_id }) => msg === 'the alarm of a broadcast rang' && broadcast_id === id)
    .map(({ outcome }) => outcome);

const auditOf = async (id: string): Promise<string[]> => {
  const { rows } = await world().admin.query<{ operation: string }>(
    `select operation from audit_log where ids ->> 'broadcast_id' = $1 order by id`,
    [id],
  );
  return rows.map(({ operation }) => operation);
};

async function outboxIsEmpty(): Promise<void> {
  await expect
    .poll(async () => (await world().admin.query('select 1 from outbox')).rowCount, { timeout: 60_000 })
    .toBe(0);
}

/** A text, which needs no sender. */
async function newText(org: TestOrg): Promise<{ id: string }> {
  await org.rest('PUT /v1/sms-number', { number: '+15550001111' });
  const webinar_id = await newWebinar(world(), org);
  return newDraft(org, { channel: 'sms', audience: 'webinar', webinar_id, message_body: 'Hello' });
}

/** Scheduled for a moment that is near: the service is asked at what it takes for two hours ago. */
async function scheduleAt(org: TestOrg, id: string, send_at: string): Promise<void> {
  world().clock.now = () => new Date(Date.now() - 2 * 3_600_000);
  await schedule(org, id, send_at);
  world().clock.now = now;
}

test('SCH-002 when the test clock passes its time the alarm rings, once', async () => {
  const org = await world().newOrg();
  const { id } = await newText(org);
  const { delivery } = await schedule(org, id, inHours(24));
  await outboxIsEmpty();
  const just = new Date(Date.parse(delivery.send_at) - 60_000).toISOString();
  expect((await org.rest('POST /v1/test-clock', { now: just })).body.released).toBe(0);
  expect((await read(org, id)).status).toBe('scheduled');
  // Moved three times, it is told of three times at most, and begins once.
  for (const advance of [61, 1, 1])
    expect((await org.rest('POST /v1/test-clock', { advance })).status).toBe(200);
  await expect.poll(() => read(org, id), { timeout: 60_000 }).toMatchObject(wentOut);
  await outboxIsEmpty();
  // Those told of it at once may say so in any order.
  const begun = () => rungOf(id).filter((outcome) => outcome !== 'moved_on');
  await expect.poll(begun).toEqual(['began']);
  expect(await auditOf(id)).toEqual([
    'create_broadcast',
    'schedule_broadcast',
    'begin_sending',
    'end_sending',
  ]);
});

test('SCH-011 a broadcast unscheduled before its time is not begun by the test clock', async () => {
  const org = await world().newOrg();
  const [taken, kept] = [await newText(org), await newText(org)];
  for (const { id } of [taken, kept]) await schedule(org, id, inHours(24));
  await org.rest(`POST /v1/broadcasts/${taken.id}/unschedule`);
  const { body } = await org.rest('POST /v1/test-clock', { now: inHours(24.5) });
  expect(body.released).toBe(1);
  await expect.poll(() => read(org, kept.id), { timeout: 60_000 }).toMatchObject(wentOut);
  await outboxIsEmpty();
  expect((await read(org, taken.id)).status).toBe('draft');
  expect(await auditOf(taken.id)).toEqual(['create_broadcast', 'schedule_broadcast', 'unschedule_broadcast']);
});

test('SCH-002 SCH-011 an alarm set early rings by itself when its time comes, and finds what was taken back gone', async () => {
  const org = await world().newOrg();
  const began = Date.now();
  const [kept, taken, deleted] = [await newText(org), await newText(org), await newText(org)];
  // Far enough away for all that is done before it, by how long this machine took for as much.
  const send_at = new Date(Date.now() + 4_000 + 8 * (Date.now() - began)).toISOString();
  for (const { id } of [kept, taken, deleted]) await scheduleAt(org, id, send_at);
  await outboxIsEmpty(); // the engine has them all, and nothing else will tell it
  expect((await org.rest(`POST /v1/broadcasts/${taken.id}/unschedule`)).status).toBe(200);
  expect((await org.rest(`DELETE /v1/broadcasts/${deleted.id}`)).status).toBe(200);
  expect((await read(org, kept.id)).status).toBe('scheduled');
  expect(rungOf(kept.id)).toEqual([]);
  await expect.poll(() => read(org, kept.id), { timeout: 60_000, interval: 100 }).toMatchObject(wentOut);
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(send_at));
  await expect.poll(() => rungOf(taken.id), { timeout: 60_000 }).toEqual(['moved_on']);
  await expect.poll(() => rungOf(deleted.id), { timeout: 60_000 }).toEqual(['moved_on']);
  await expect.poll(() => rungOf(kept.id)).toEqual(['began']);
  await idle(world());
  expect(rungOf(kept.id)).toEqual(['began']);
  expect((await read(org, taken.id)).status).toBe('draft');
  expect((await auditOf(kept.id)).filter((operation) => operation === 'begin_sending')).toHaveLength(1);
});

test('a message that is no alarm is not tried for ever', async () => {
  for (const payload of [{}, { org_id: 'x', broadcast_id: 'y', revision: '0' }, 'no']) {
    const response = await fetch(`${world().config.RESTATE_INGRESS_URL[0]}/BroadcastStart/begin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
      signal: AbortSignal.timeout(30_000),
    });
    expect([response.status, await response.text()]).toEqual([500, expect.stringContaining('not an alarm')]);
  }
});
