import { afterAll, describe, expect, test } from 'vitest';
import { lockWaits } from '../support/lock-waits.ts';
import { startTwilio } from '../support/twilio.ts';
import { useWorld } from '../support/world.ts';
import {
  deliveryOf,
  eventsOf,
  isOptedOut,
  newTextOrg,
  publicUrl,
  sentText,
  serviceAudit,
  twilioSettings,
} from './text-setting.ts';

const twilio = await startTwilio();
afterAll(() => twilio.stop());
const world = useWorld({ env: twilioSettings(twilio) });

let last = 0;
const newPhone = (): string => `+4479${String(++last).padStart(8, '0')}`;

const deliver = async (From: string, To: string, Body: string, more: Record<string, string> = {}) => {
  const response = await twilio.deliver(publicUrl, world().url, { From, To, Body, ...more });
  return { status: response.status, type: response.headers.get('content-type'), body: await response.text() };
};

test('SND-009 whoever answers STOP is opted out of texts, on their timeline, in the ledger and in the audit log', async () => {
  const { org, number } = await newTextOrg(world());
  const phone = newPhone();
  const person = await org.person({ phone });
  const { delivery, broadcast } = await sentText(world(), org, person);
  expect(await deliver(phone, number, 'Stop')).toEqual({
    status: 200,
    type: 'text/xml',
    body: '<?xml version="1.0" encoding="UTF-8"?><Response/>',
  });
  expect((await org.rest(`GET /v1/people/${person}/opt-outs`)).body.opt_outs).toEqual({
    email_opt_out: false,
    sms_opt_out: true,
  });
  expect(await deliveryOf(world(), delivery)).toMatchObject({
    unsubscribed_at: expect.any(Date),
    state: 'sent',
  });
  expect((await org.rest(`GET /v1/broadcasts/${broadcast}/stats`)).body.totals).toMatchObject({
    unsubscribed: 1,
  });
  expect(await eventsOf(world(), person)).toEqual([
    { name: '$svc_unsubscribed', custom_properties: { channel: 'sms', broadcast_id: broadcast } },
  ]);
  expect(await serviceAudit(world(), org)).toEqual([
    { operation: 'opt_out_by_text', ids: { person_ids: [person] } },
  ]);
});

test('said again, it is not news', async () => {
  const { org, number } = await newTextOrg(world());
  const phone = newPhone();
  const person = await org.person({ phone });
  for (let time = 0; time < 3; time++) await deliver(phone, number, 'STOP');
  expect(await eventsOf(world(), person)).toHaveLength(1);
  expect(await serviceAudit(world(), org)).toHaveLength(1);
});

test('opted in again by hand, the next stop counts', async () => {
  const { org, number } = await newTextOrg(world());
  const phone = newPhone();
  const person = await org.person({ phone });
  await deliver(phone, number, 'STOP');
  await org.rest(`PATCH /v1/people/${person}/opt-outs`, { sms_opt_out: false });
  await deliver(phone, number, 'START');
  expect(await isOptedOut(org, person)).toBe(false);
  await deliver(phone, number, 'STOP');
  expect(await isOptedOut(org, person)).toBe(true);
});

test('what is no stop changes nothing, and no text opts in', async () => {
  const { org, number } = await newTextOrg(world());
  const [phone, other] = [newPhone(), newPhone()];
  const person = await org.person({ phone });
  const silent = await org.person({ phone: other });
  await org.rest(`PATCH /v1/people/${silent}/opt-outs`, { sms_opt_out: true });
  for (const body of ["don't stop", 'See you there!', ''])
    expect((await deliver(phone, number, body)).status).toBe(200);
  for (const body of ['START', 'UNSTOP', 'yes']) await deliver(other, number, body);
  expect(await isOptedOut(org, person)).toBe(false);
  expect(await isOptedOut(org, silent)).toBe(true);
  expect(await serviceAudit(world(), org)).toEqual([]);
});

test('what Twilio itself takes for a stop is one, in whichever language', async () => {
  const { org, number } = await newTextOrg(world());
  const phone = newPhone();
  const person = await org.person({ phone });
  await deliver(phone, number, 'ARRET', { OptOutType: 'HELP' });
  expect(await isOptedOut(org, person)).toBe(false);
  await deliver(phone, number, 'ARRET', { OptOutType: 'STOP' });
  expect(await isOptedOut(org, person)).toBe(true);
});

test.each(['+44 7911 123456', '+44 (7911) 123-456', '+44.7911.123456'])(
  'a number that was written as %s is found',
  async (written) => {
    const { org, number } = await newTextOrg(world());
    const person = await org.person({ email: 'ann@example.com', phone: written });
    await deliver('+447911123456', number, 'STOP');
    expect(await isOptedOut(org, person)).toBe(true);
  },
);

test('everybody who has the number, as whichever of their phones, is opted out', async () => {
  const { org, number } = await newTextOrg(world());
  const phone = newPhone();
  const first = await org.person({ phone });
  const second = await org.person({ email: 'second@example.com', phone: newPhone() });
  // As numbers were stored before spellings were compared.
  await world().admin.query(
    `insert into identifiers (org_id, id, person_id, type, value, created_at)
     values ($1, gen_random_uuid(), $2, 'phone', $3, now())`,
    [org.id, second, `${phone.slice(0, 3)} ${phone.slice(3)}`],
  );
  await deliver(phone, number, 'STOP');
  expect([await isOptedOut(org, first), await isOptedOut(org, second)]).toEqual([true, true]);
});

test('TEN-001 a stop goes to the organizations that send from the number it was sent to, and to no other', async () => {
  const phone = newPhone();
  const shared = await newTextOrg(world());
  const orgs = [shared, await newTextOrg(world(), shared.number), await newTextOrg(world())];
  const people = await Promise.all(orgs.map(({ org }) => org.person({ phone })));
  await deliver(phone, shared.number, 'STOP');
  const outs = await Promise.all(orgs.map(({ org }, at) => isOptedOut(org, people[at]!)));
  expect(outs).toEqual([true, true, false]);
});

test('a stop to a number that nobody has, or from none, is taken and left', async () => {
  const { org, number } = await newTextOrg(world());
  const person = await org.person({ phone: newPhone() });
  for (const [from, to] of [
    [newPhone(), '+15550009999'],
    ['12345', number],
    ['', ''],
  ] as const) {
    expect((await deliver(from, to, 'STOP')).status).toBe(200);
  }
  expect(await isOptedOut(org, person)).toBe(false);
  expect(await serviceAudit(world(), org)).toEqual([]);
});

test('a stop from somebody unknown holds when they are imported, however the number is written then', async () => {
  const { org, number } = await newTextOrg(world());
  await deliver('+447911000001', number, 'STOP');
  await deliver('+447911000001', number, 'STOP');
  expect(await serviceAudit(world(), org)).toEqual([
    { operation: 'opt_out_by_text', ids: { org_id: org.id } },
  ]);
  const person = await org.person({ phone: '+44 (7911) 000-001' });
  expect(await isOptedOut(org, person)).toBe(true);
  const neighbour = await newTextOrg(world());
  expect(await isOptedOut(neighbour.org, await neighbour.org.person({ phone: '+447911000001' }))).toBe(false);
  // Said in so many words that they may be texted: what was remembered goes as well.
  await org.rest(`PATCH /v1/people/${person}/opt-outs`, { sms_opt_out: false });
  await org.rest(`DELETE /v1/people/${person}`);
  expect(await isOptedOut(org, await org.person({ phone: '+447911000001' }))).toBe(false);
});

test('a number whose suppressed owner was deleted stays suppressed, written another way', async () => {
  const { org, number } = await newTextOrg(world());
  const person = await org.person({ phone: '+44 7911 000 002' });
  await deliver('+447911000002', number, 'STOP');
  await org.rest(`DELETE /v1/people/${person}?drop_suppression=true`);
  expect(await isOptedOut(org, await org.person({ phone: '+44-7911-000002' }))).toBe(true);
});

describe('a stop is counted against', () => {
  const days = (ago: number) => new Date(Date.now() - ago * 86_400_000);

  test('the text that was sent last', async () => {
    const { org, number } = await newTextOrg(world());
    const phone = newPhone();
    const person = await org.person({ phone });
    const older = await sentText(world(), org, person, { sentAt: days(2) });
    const latest = await sentText(world(), org, person, { sentAt: days(1) });
    const failed = await sentText(world(), org, person, { state: 'failed' });
    await deliver(phone, number, 'STOP');
    const marks = [];
    for (const { delivery } of [older, latest, failed]) {
      marks.push((await deliveryOf(world(), delivery))['unsubscribed_at'] !== null);
    }
    expect(marks).toEqual([false, true, false]);
  });

  test('none that is older than thirty days', async () => {
    const { org, number } = await newTextOrg(world());
    const phone = newPhone();
    const person = await org.person({ phone });
    const { delivery } = await sentText(world(), org, person, { sentAt: days(31) });
    await deliver(phone, number, 'STOP');
    expect(await isOptedOut(org, person)).toBe(true);
    expect((await deliveryOf(world(), delivery))['unsubscribed_at']).toBeNull();
    expect(await eventsOf(world(), person)).toMatchObject([{ custom_properties: { channel: 'sms' } }]);
  });
});

test('SND-009 who is being written to at this moment is opted out when that is over, not before', async () => {
  const { org, number } = await newTextOrg(world());
  const phone = newPhone();
  const person = await org.person({ phone });
  const { admin } = world();
  // As the sender holds whom it hands a message to.
  await admin.query('begin');
  await admin.query('select 1 from people where id = $1 for key share', [person]);
  let done = false;
  const stopping = deliver(phone, number, 'STOP').then(() => (done = true));
  await expect.poll(() => lockWaits(world().admin)).toBeGreaterThan(0);
  expect(done).toBe(false);
  await admin.query('commit');
  await stopping;
  expect(await isOptedOut(org, person)).toBe(true);
});

test('who is given the number while the stop waits is opted out, and nobody else', async () => {
  const { org, number } = await newTextOrg(world());
  const phone = newPhone();
  const [before, after] = [await org.person({ phone }), await org.person({ email: 'after@example.com' })];
  const { admin } = world();
  await admin.query('begin');
  await admin.query('select 1 from people where id = $1 for update', [before]);
  await admin.query('update identifiers set person_id = $2 where person_id = $1', [before, after]);
  const stopping = deliver(phone, number, 'STOP');
  await expect.poll(() => lockWaits(world().admin)).toBeGreaterThan(0);
  await admin.query('commit');
  expect((await stopping).status).toBe(200);
  expect([await isOptedOut(org, before), await isOptedOut(org, after)]).toEqual([false, true]);
  expect(await eventsOf(world(), before)).toEqual([]);
});

test('no number and no word of a text is in any log line or audit row', async () => {
  const { org, number } = await newTextOrg(world());
  const phone = newPhone();
  await org.person({ phone });
  await deliver(phone, number, 'please stop bothering me');
  const digits = phone.slice(1);
  expect(world().logLines.filter((line) => line.includes(digits) || line.includes('bothering'))).toEqual([]);
  expect(world().logLines.some((line) => line.includes('twilio_inbound'))).toBe(true);
  const { rows } = await world().admin.query('select t::text as row from audit_log t where org_id = $1', [
    org.id,
  ]);
  expect(rows.filter(({ row }) => row.includes(digits))).toEqual([]);
});
