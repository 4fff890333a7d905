import { afterEach, expect, test } from 'vitest';
import { operations } from '../../../src/catalogue/operations.ts';
import type { AnyOperation } from '../../../src/kernel/operation.ts';
import { inputWith, readTableOf } from '../../isolation/furnished-orgs.ts';
import { inHours, newDraft, newWebinar, plan, setWebinar } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import {
  scheduleEmail,
  advanceClock,
  clockOf,
  ended,
  moveClock,
  readBroadcast,
  receiversOf,
  settled,
  useSending,
} from '../../support/sending.ts';
import { waysTo } from '../../support/call-operation.ts';
import { furnish } from '../../support/furnish.ts';
import { idle } from '../../support/idle.ts';
import { ledgerOf } from '../../support/ledger.ts';
import { newReaders, newSendingOrg, registerAll } from '../../support/reader-rows.ts';
import { isLong } from '../../support/volume.ts';

const sending = useSending();
const now = () => new Date();
afterEach(() => {
  sending().world.clock.now = now;
});

const catalogue: readonly AnyOperation[] = operations;
const hour = 3_600_000;
const allAndFew = ['all', 'few'] as const;

test('SND-002 no operation sends a draft or a planned broadcast, not even days later', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  await world.admin.query('delete from email_layouts where org_id = $1', [org.id]);
  const ids = await furnish(world.admin, org.id);
  // Rows that no operation made are nobody's to send.
  for (const table of ['outbox', 'deliveries', 'delivery_lanes'])
    await world.admin.query(`delete from ${table} where org_id = $1`, [org.id]);
  await world.admin.query(
    `update email_layouts set company_name = 'Example', postal_address = '1 Main Street' where org_id = $1`,
    [org.id],
  );
  await newReaders(org, 3);
  const tableOf = await readTableOf(world);
  const sender_id = await newSender(world, org);
  const draft = { audience: 'everyone', subject: 'Not yet', html: '<p>Hello</p>', sender_id };
  const planIt = async (id: string) => plan(org, id, new Date((await clockOf(org)) + 2 * hour).toISOString());
  const { id: example } = await newDraft(org, draft);
  expect((await planIt(example)).ready).toBe(true); // nothing but a schedule is lacking
  const drafts: string[] = [example];
  const before = mail.mails.length;
  const newPlanned = async (): Promise<string> => {
    const { id } = await newDraft(org, draft);
    drafts.push(id);
    await planIt(id);
    return id;
  };
  const forReads = await newPlanned();
  for (const [nth, operation] of catalogue.entries()) {
    // What writes has a draft of its own for each call. The gate tries it over every face, with all fields or with few
    // by turns, and what reads over one face.
    const isRead = operation.effect === 'read';
    const ways = waysTo(operation);
    for (const [at, way] of (isLong || !isRead ? ways : ways.slice(0, 1)).entries()) {
      for (const fields of isLong ? allAndFew : [allAndFew[(nth + at) % 2]!]) {
        const id = isRead ? forReads : await newPlanned();
        await way.call(org, inputWith({ ...ids, broadcasts: id }, tableOf, operation, way, fields));
      }
    }
  }
  await advanceClock(org, 30 * 86_400);
  await settled(world, org);
  await idle(world);
  expect(mail.mails.slice(before)).toEqual([]);
  const { rows } = await world.admin.query(
    `select distinct b.status, b.started_at, exists (
       select 1 from deliveries d where d.org_id = b.org_id and d.broadcast_id = b.id) as has_recipients
     from broadcasts b where b.org_id = $1 and b.id = any($2)`,
    [org.id, drafts],
  );
  expect(rows).toEqual([{ status: 'draft', started_at: null, has_recipients: false }]);
}, 300_000);

test.each([
  ['POST /v1/broadcasts', { status: 'sending' }],
  ['POST /v1/broadcasts', { send_at: '2020-01-01T00:00:00Z' }],
  ['POST /v1/broadcasts', { send_now: true }],
  ['PATCH /v1/broadcasts/:id', { status: 'scheduled' }],
  ['PATCH /v1/broadcasts/:id', { send_at: '2020-01-01T00:00:00Z' }],
  ['POST /v1/broadcasts/:id/plan', { send_now: true }],
  ['POST /v1/broadcasts/:id/schedule', { send_at: '2020-01-01T00:00:00Z' }],
  ['POST /v1/broadcasts/:id/schedule', { plan_token: 'none', send_now: true }],
  ['POST /v1/broadcasts/:id/send', {}],
  ['POST /v1/broadcasts/:id/stop', {}],
] as const)('SND-002 SND-003 %s with %j sends nothing', async (route, sent) => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  await newReaders(org, 1);
  const draft = { audience: 'everyone', subject: 'At once', html: '<p>Hello</p>' };
  const { id } = await newDraft(org, { ...draft, sender_id: await newSender(world, org) });
  const body = route === 'POST /v1/broadcasts' ? { ...draft, ...sent } : sent;
  expect((await org.rest(route.replace(':id', id), body)).status).toBeGreaterThanOrEqual(400);
  await settled(world, org);
  expect((await readBroadcast(org, id)).status).toBe('draft');
  expect(receiversOf(mail, 'At once')).toEqual([]);
});

test('SND-003 nothing is scheduled for less than an hour ahead, nor by a plan that was made in time', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  await newReaders(org, 1);
  const draft = { audience: 'everyone', subject: 'Too soon', html: '<p>Hello</p>' };
  const { id } = await newDraft(org, { ...draft, sender_id: await newSender(world, org) });
  for (const ahead of [-hour, 0, 1, hour - 5_000]) {
    const { plan_token } = await plan(org, id, new Date((await clockOf(org)) + ahead).toISOString());
    expect(plan_token).toBeUndefined();
  }
  const { plan_token } = await plan(org, id, new Date((await clockOf(org)) + hour + 60_000).toISOString());
  await advanceClock(org, 120);
  const late = await org.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token });
  expect(late).toMatchObject({ status: 400, body: { code: 'plan_blocked' } });
  await advanceClock(org, 3 * 3_600);
  await settled(world, org);
  expect([(await readBroadcast(org, id)).status, receiversOf(mail, 'Too soon')]).toEqual(['draft', []]);
});

test('SND-003 the soonest there is goes out an hour after it was scheduled, and not a moment before', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const readers = await newReaders(org, 3);
  const webinar_id = await newWebinar(world, org, { start_time: inHours(72) });
  await registerAll(world, org, webinar_id, readers.values());
  // By a clock that stands still: planned and scheduled at one moment, for one hour later to the millisecond.
  const still = new Date();
  world.clock.now = () => still;
  const { id, subject, sendAt } = await scheduleEmail(world, org, { audience: 'webinar', webinar_id }, 60);
  expect(sendAt - still.getTime()).toBe(hour);
  world.clock.now = now;
  // What it is timed by may move; its time stays.
  await setWebinar(world, webinar_id, { start_time: inHours(1) });
  await moveClock(org, sendAt - 60_000);
  await idle(world);
  expect([(await readBroadcast(org, id)).status, receiversOf(mail, subject)]).toEqual(['scheduled', []]);
  await moveClock(org, sendAt);
  expect((await ended(org, id)).timing.started_at >= new Date(sendAt).toISOString()).toBe(true);
  const sentAt = (await ledgerOf(world, id)).map(({ sent_at }) => sent_at!.getTime());
  expect(sentAt).toHaveLength(3);
  expect(Math.min(...sentAt) - still.getTime()).toBeGreaterThanOrEqual(hour);
});
