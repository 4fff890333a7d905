import { afterAll, beforeAll, expect, test } from 'vitest';
import { newDraft, newWebinar, register } from '../../support/broadcast.ts';
import { expectBalanced, ledgerOf } from '../../support/ledger.ts';
import { clockOf, ended, moveClock, scheduleAt, settled } from '../../support/sending.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { startTwilio, type Twilio } from '../../support/twilio.ts';
import { openWorld, type World } from '../../support/world.ts';

let twilio: Twilio;
let world: World;
beforeAll(async () => {
  twilio = await startTwilio();
  world = await openWorld({
    engine: true,
    env: {
      PUBLIC_URL: 'https://rostrum.example.net',
      SMS_PROVIDER: 'twilio',
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_BASE_URL: twilio.baseUrl,
    },
  });
});
afterAll(async () => {
  await world.close();
  await twilio.stop();
});

let stages = 0;

/** People with a number each, and an address; the first so many are registered. */
async function newStage(count: number, registered = count) {
  const org = await world.newOrg();
  await org.rest('PUT /v1/sms-number', { number: '+15550001111' });
  const webinar_id = await newWebinar(world, org);
  const area = 10_000 + stages++;
  const people: { phone: string; person: string }[] = [];
  for (let at = 0; at < count; at++) {
    const phone = `+1555${area}${at}`;
    const person = await org.person({ phone, email: `${area}-${at}@example.com` });
    if (at < registered) await register(world, org, webinar_id, person);
    people.push({ phone, person });
  }
  const test_recipients = people.map(({ phone }) => phone);
  expect((await org.rest('PATCH /v1/settings', { test_recipients })).status).toBe(200);
  const message_body = `It begins soon ${area}`;
  const { id } = await newDraft(org, { channel: 'sms', audience: 'webinar', webinar_id, message_body });
  const sendAt = (await clockOf(org)) + 90 * 60_000;
  await scheduleAt(org, id, sendAt);
  const receivers = () => twilio.messages.filter(({ Body }) => Body === message_body).map(({ To }) => To);
  return { org, webinar_id, people, id: id as string, sendAt, receivers };
}

const optOut = async (org: TestOrg, person: string, said: Record<string, boolean>) =>
  expect((await org.rest(`PATCH /v1/people/${person}/opt-outs`, said)).status).toBe(200);

test('SND-009 SND-010 who opted out of texts is skipped by a text, who opted out of email alone is not', async () => {
  const { org, people, id, sendAt, receivers } = await newStage(4);
  await optOut(org, people[0]!.person, { sms_opt_out: true });
  await optOut(org, people[1]!.person, { email_opt_out: true });
  await optOut(org, people[2]!.person, { sms_opt_out: true, email_opt_out: true });
  await moveClock(org, sendAt);
  expect(await ended(org, id)).toMatchObject({
    status: 'sent',
    counts: { recipients: 4, sent: 2, skipped: 2 },
  });
  expect(receivers().toSorted()).toEqual([people[1]!.phone, people[3]!.phone].toSorted());
  const skipped = (await ledgerOf(world, id)).filter(({ state }) => state === 'skipped');
  expect(skipped.map(({ reason }) => reason)).toEqual(['opted_out', 'opted_out']);
  await expectBalanced(world, id);
});

test('SND-013 a text goes to the registrants of its webinar at its time, and to nobody else', async () => {
  const { org, webinar_id, people, id, sendAt, receivers } = await newStage(5, 3);
  const [stays, leaves, , joins, stranger] = people;
  await world.admin.query('delete from registrations where person_id = $1', [leaves!.person]);
  await register(world, org, webinar_id, joins!.person);
  const elsewhere = await newWebinar(world, org);
  await register(world, org, elsewhere, stranger!.person);
  await moveClock(org, sendAt - 60_000);
  await settled(world, org);
  expect(receivers()).toEqual([]);
  await moveClock(org, sendAt);
  expect((await ended(org, id)).counts).toMatchObject({ recipients: 3, sent: 3 });
  expect(receivers().toSorted()).toEqual([stays!.phone, people[2]!.phone, joins!.phone].toSorted());
});

test.each(['everyone', 'segment'])('SND-013 there is no text to %s', async (audience) => {
  const { org } = await newStage(1);
  const segment = await org.rest('POST /v1/segments', {
    name: 'Everybody with a number',
    filters: [{ property: 'primary_phone', op: 'is_not_empty' }],
  });
  const { status } = await org.rest('POST /v1/broadcasts', {
    channel: 'sms',
    audience,
    message_body: 'Hello',
    ...(audience === 'segment' && { segment_id: segment.body.segment?.id }),
  });
  expect(status).toBe(400);
});
