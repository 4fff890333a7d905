import { expect, test } from 'vitest';
import { readLateness } from '../../../src/durable/late-work.ts';
import { sweep } from '../../../src/durable/sweep.ts';
import { newDraft, plan } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import {
  scheduleEmail,
  advanceClock,
  clockOf,
  ended,
  moveClock,
  readBroadcast,
  receiversOf,
  scheduleAt,
  settled,
  useSending,
} from '../../support/sending.ts';
import { expectBalanced } from '../../support/ledger.ts';
import { newReaders, newSendingOrg } from '../../support/reader-rows.ts';
import type { TestOrg } from '../../support/test-org.ts';

const sending = useSending();
const hour = 3_600_000;

/** A broadcast planned for 10 people, whose time came when there were so many more. */
async function newDue(more: number, fields: Record<string, unknown> = { hold_if_audience_changes_by: 20 }) {
  const { world } = sending();
  const org = await newSendingOrg(world);
  await newReaders(org, 10);
  const due = await scheduleEmail(world, org, fields);
  await newReaders(org, more);
  await moveClock(org, due.sendAt);
  await settled(world, org);
  return { org, ...due };
}

const release = (org: TestOrg, id: string, counted: number) =>
  org.rest(`POST /v1/broadcasts/${id}/release`, { counted });

test('a broadcast whose audience grew by more than it may is held, and says so wherever it is read', async () => {
  const { world, mail } = sending();
  const { org, id, subject, sendAt } = await newDue(3);
  const read = await readBroadcast(org, id);
  const held = { planned: 10, counted: 13, since: expect.any(String) };
  expect(read).toMatchObject({ status: 'scheduled', hold_if_audience_changes_by: 20, held, error: null });
  expect(Date.parse(read.held.since)).toBeGreaterThanOrEqual(sendAt);
  const { body } = await org.rest('GET /v1/broadcasts?status=scheduled');
  expect(body.broadcasts).toMatchObject([{ id, held }]);
  const { body: log } = await org.rest(`GET /v1/audit-log?object_id=${id}`);
  expect(log.entries[0]).toMatchObject({ operation: 'hold_broadcast', actor: { kind: 'service' } });
  // However long it waits: nobody is told of it again, nothing is late, and its clock lets nothing out.
  await advanceClock(org, 48 * 3_600);
  const later = new Date((await clockOf(org)) + hour);
  await sweep(world.database, later);
  expect((await readLateness(world.database, later)).BroadcastStart).toBe(0);
  await settled(world, org);
  expect([receiversOf(mail, subject), (await readBroadcast(org, id)).held]).toEqual([[], read.held]);
  const reader = (await org.rest('GET /v1/people?limit=1')).body.people[0].id;
  const { body: why } = await org.rest(`GET /v1/broadcasts/${id}/recipients/${reader}`);
  expect([why.outcome, why.summary]).toEqual(['not_yet', expect.stringContaining('It is held')]);
});

test.each([
  ['by just as much as it may', 2, { hold_if_audience_changes_by: 20 }],
  ['and it may change by any amount', 30, {}],
])('a broadcast whose audience changed %s goes out', async (_, more, fields) => {
  const { mail } = sending();
  const { org, id, subject, sendAt } = await newDue(more, fields);
  await moveClock(org, sendAt + 3 * hour);
  expect(await ended(org, id)).toMatchObject({ status: 'sent', held: null, counts: { sent: 10 + more } });
  expect(new Set(receiversOf(mail, subject)).size).toBe(10 + more);
});

test('a release sends to everybody who is there now, once, spread from the moment of the release', async () => {
  const { world, mail } = sending();
  const { org, id, subject } = await newDue(5);
  await advanceClock(org, 30 * 3_600);
  await newReaders(org, 2);
  const { body: fresh } = await org.rest(`GET /v1/broadcasts/${id}/recount`);
  expect(fresh).toMatchObject({
    held: { planned: 10, counted: 15 },
    audience: { recipients: 17, reachable: 17, excluded: [] },
    checks: [],
  });
  const before = await clockOf(org);
  const { status, body } = await release(org, id, 17);
  expect([status, body.broadcast.held, body.counted]).toEqual([200, null, 17]);
  expect(body.broadcast.timing.paced_over_hours).toBe(3);
  const begins = Date.parse(body.broadcast.timing.send_at);
  expect(begins).toBeGreaterThanOrEqual(before);
  expect((await release(org, id, 17)).body.code).toBe('not_held');
  await settled(world, org);
  expect(await readBroadcast(org, id)).toMatchObject({ status: 'sending', held: null });
  await moveClock(org, begins + 3 * hour);
  expect(await ended(org, id)).toMatchObject({ status: 'sent', counts: { sent: 17, recipients: 17 } });
  const got = receiversOf(mail, subject);
  expect([got.length, new Set(got).size]).toEqual([17, 17]);
  await expectBalanced(world, id);
});

test('a release is bound to what the person saw: the audience moved again, and it answers the fresh count', async () => {
  const { world, mail } = sending();
  const { org, id, subject } = await newDue(5);
  await newReaders(org, 10);
  const { status, body } = await release(org, id, 15);
  expect([status, body.code]).toEqual([409, 'audience_changed']);
  expect(body.detail).toContain('25 people are in the audience now, and you were shown 15');
  expect(body.errors).toMatchObject([{ pointer: '/counted', allowed: ['25'] }]);
  await settled(world, org);
  expect([receiversOf(mail, subject), (await readBroadcast(org, id)).held.counted]).toEqual([[], 15]);
  expect((await release(org, id, 25)).status).toBe(200);
});

test('a held broadcast is taken back as any other, and its next plan counts anew', async () => {
  const { world, mail } = sending();
  const { org, id, subject } = await newDue(5);
  const { status, body } = await org.rest(`POST /v1/broadcasts/${id}/unschedule`);
  expect([status, body.broadcast.status, body.broadcast.held]).toEqual([200, 'draft', null]);
  for (const path of [`POST /v1/broadcasts/${id}/release`, `GET /v1/broadcasts/${id}/recount`])
    expect((await org.rest(path, path.startsWith('POST') ? { counted: 15 } : undefined)).body.code).toBe(
      'not_held',
    );
  const sendAt = (await clockOf(org)) + 2 * hour;
  await scheduleAt(org, id, sendAt);
  await moveClock(org, sendAt);
  await settled(world, org);
  await moveClock(org, sendAt + 3 * hour);
  expect((await ended(org, id)).counts.sent).toBe(15);
  expect(receiversOf(mail, subject)).toHaveLength(15);
});

test('where two keys send, the one that planned may not release, and another may', async () => {
  const { world } = sending();
  const org = await newSendingOrg(world);
  const other = await world.newKey(org, ['broadcasts.read', 'broadcasts.schedule']);
  await newReaders(org, 1);
  const reader = await world.newKey(org, ['broadcasts.read', 'broadcasts.write']);
  await org.rest('PATCH /v1/settings', { two_key_sending: true, hold_if_audience_changes_by: 1 });
  const { id } = await scheduleByTwo(org, other);
  await newReaders(org, 1);
  await moveClock(org, (await clockOf(org)) + 2 * hour);
  await settled(world, org);
  expect((await readBroadcast(org, id)).held).toMatchObject({ planned: 1, counted: 2 });
  expect((await release(org, id, 2)).body.code).toBe('second_key_needed');
  expect((await release(reader, id, 2)).status).toBe(403);
  expect((await release(other, id, 2)).status).toBe(200);
});

async function scheduleByTwo(org: TestOrg, other: TestOrg) {
  const { world } = sending();
  const one = await newEmail(org);
  const { plan_token } = await plan(org, one.id, new Date((await clockOf(org)) + 1.5 * hour).toISOString());
  const { status } = await other.rest(`POST /v1/broadcasts/${one.id}/schedule`, { plan_token });
  expect([status, one.hold_if_audience_changes_by]).toEqual([200, 1]);
  await settled(world, org);
  return one;
}

async function newEmail(org: TestOrg) {
  const sender_id = await newSender(sending().world, org);
  return newDraft(org, { audience: 'everyone', subject: 'Two keys', html: '<p>Hello</p>', sender_id });
}

test('what blocks it at the release is told, and it stays held', async () => {
  const { world } = sending();
  const { org, id } = await newDue(5);
  await world.admin.query('update sending_domains set verified_at = null where org_id = $1', [org.id]);
  const { body: fresh } = await org.rest(`GET /v1/broadcasts/${id}/recount`);
  expect(fresh.checks).toMatchObject([{ code: 'sender_domain_unverified' }]);
  expect((await release(org, id, 15)).body.code).toBe('plan_blocked');
  expect((await readBroadcast(org, id)).held.counted).toBe(15);
});
