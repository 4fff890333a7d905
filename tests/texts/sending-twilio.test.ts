import { afterAll, beforeEach, expect, test } from 'vitest';
import { previewFor } from '../broadcasts/draft/draft-ways.ts';
import { custom, user } from '../content/paths.ts';
import { expectBalanced, ledgerOf, outcomesOf } from '../support/ledger.ts';
import { advanceClock, ended, settled } from '../support/sending.ts';
import { startTwilio, type Asked } from '../support/twilio.ts';
import { useWorld } from '../support/world.ts';
import { idle } from '../support/idle.ts';
import { newStage, sendText, totalsOf } from './sending-setting.ts';
import { isOptedOut, publicUrl, timelineOf, twilioSettings } from './text-setting.ts';

const twilio = await startTwilio();
afterAll(() => twilio.stop());
const world = useWorld({ engine: true, env: twilioSettings(twilio) });
beforeEach(() => {
  twilio.behave = () => undefined;
  twilio.messages.length = 0;
});

const callBack = (asked: Asked, MessageStatus: string, ErrorCode?: string) =>
  twilio.callBack(asked, world().url, { MessageStatus, ...(ErrorCode !== undefined && { ErrorCode }) });

test('SND-005 SND-013 a text goes at once to the registrants, each with their own words, and its receipts come back', async () => {
  const stage = await newStage(world(), 40);
  const { org, number, people } = stage;
  const stranger = await org.person({ phone: '+447700900000' });
  const id = await sendText(stage, {
    message_body: 'Hi {{var_n}}, it starts soon',
    variables: { var_n: { variable: '{{context.root_context.org_user.first_name}}', fallback: 'there' } },
  });
  expect(await ended(org, id)).toMatchObject({
    status: 'sent',
    counts: { recipients: 40, sent: 40, skipped: 0, failed: 0 },
  });
  expect(twilio.messages.map(({ To }) => To).toSorted()).toEqual([...people.keys()].toSorted());
  for (const { To, From, Body } of twilio.messages) {
    expect([From, Body]).toEqual([number, `Hi Reader ${Number(To.slice(-5))}, it starts soon`]);
  }
  expect(await timelineOf(org, stranger)).toEqual([]);
  await Promise.all(
    twilio.messages.map((asked, at) =>
      callBack(asked, at < 30 ? 'delivered' : 'undelivered', at < 30 ? undefined : '30006'),
    ),
  );
  expect(await totalsOf(org, id)).toMatchObject({ sent: 40, delivered: 30, bounced: 10 });
  await expectBalanced(world(), id);
  const [person] = people.values();
  expect(await timelineOf(org, person!)).toMatchObject([{ event_name: '$svc_text_sent' }]);
});

test('BOD-010 BOD-011 a text arrives as the preview shows it, with values, fallbacks and addresses as they are', async () => {
  const stage = await newStage(world(), 2);
  const { org, people } = stage;
  await org.rest('POST /v1/property-configs', { key: 'page', name: 'Page', type: 'string' });
  const [[first, person], [second, other]] = [...people] as [[string, string], [string, string]];
  const value = `https://example.com/it's?a=1&b=<2>`;
  expect((await org.rest(`PUT /v1/people/${person}/properties/page`, { value })).status).toBe(200);
  const id = await sendText(stage, {
    message_body: 'Hi {{var_n}} & “friends”:\n{{var_page}}',
    variables: {
      var_n: { variable: user('first_name'), template: '<{{var}}>' },
      var_page: { variable: custom('page'), fallback: 'no page & "none"', template: 'see {{var}}' },
    },
  });
  await ended(org, id);
  const got = new Map(twilio.messages.map(({ To, Body }) => [To, Body]));
  expect(got).toEqual(
    new Map([
      [first, `Hi <Reader 0> & “friends”:\nsee ${value}`],
      [second, 'Hi <Reader 1> & “friends”:\nno page & "none"'],
    ]),
  );
  expect((await previewFor(org, id, person)).message).toBe(got.get(first));
  expect((await previewFor(org, id, other)).message).toBe(got.get(second));
});

test('SND-009 who answers STOP to one text is skipped by the next, and by email is not', async () => {
  const stage = await newStage(world(), 5);
  const { org, number, people } = stage;
  await ended(org, await sendText(stage));
  const [phone, person] = [...people][2]!;
  await twilio.deliver(publicUrl, world().url, { From: phone, To: number, Body: 'please stop' });
  twilio.messages.length = 0;
  const next = await sendText(stage);
  await ended(org, next);
  expect(await outcomesOf(world(), next)).toEqual({ sent: 4, 'skipped opted_out': 1 });
  expect(twilio.messages.map(({ To }) => To)).not.toContain(phone);
  expect((await org.rest(`GET /v1/people/${person}/opt-outs`)).body.opt_outs).toEqual({
    email_opt_out: false,
    sms_opt_out: true,
  });
});

test('SND-009 a STOP while a broadcast is under way holds from the moment it is answered', async () => {
  const stage = await newStage(world(), 200);
  const { org, number, people } = stage;
  const stopped = new Map<string, number>(); // by how many messages had come when it was answered
  const stopping: Promise<number>[] = [];
  const phones = [...people.keys()].toReversed();
  const stop = async (phone: string): Promise<number> => {
    const { status } = await twilio.deliver(publicUrl, world().url, {
      From: phone,
      To: number,
      Body: 'STOP',
    });
    stopped.set(phone, twilio.messages.length);
    return status;
  };
  twilio.behave = () => {
    // At every tenth message somebody of the far end says it.
    if (twilio.messages.length % 10 === 0) stopping.push(stop(phones.shift()!));
    return undefined;
  };
  const id = await sendText(stage);
  await ended(org, id);
  expect(new Set(await Promise.all(stopping))).toEqual(new Set([200]));
  expect(stopped.size).toBeGreaterThan(5);
  for (const [phone, came] of stopped) {
    const at = twilio.messages.findIndex(({ To }) => To === phone);
    expect(at, `${phone} stopped after ${came}`).toBeLessThan(came);
    expect(await isOptedOut(org, people.get(phone)!)).toBe(true);
  }
  const outcomes = await outcomesOf(world(), id);
  expect(outcomes['skipped opted_out']).toBeGreaterThan(0);
  expect((outcomes['sent'] ?? 0) + outcomes['skipped opted_out']!).toBe(200);
  expect(new Set(twilio.messages.map(({ To }) => To)).size).toBe(outcomes['sent']);
  await expectBalanced(world(), id);
}, 300_000);

test('SND-009 who told Twilio to stop is skipped, and opted out from then on', async () => {
  const stage = await newStage(world(), 4);
  const { org, people } = stage;
  const [[phone, person]] = people as unknown as [[string, string]];
  twilio.behave = ({ To }) => (To === phone ? { code: 21610 } : undefined);
  const id = await sendText(stage);
  await ended(org, id);
  expect(await outcomesOf(world(), id)).toEqual({ sent: 3, 'skipped opted_out': 1 });
  expect(await isOptedOut(org, person)).toBe(true);
  twilio.behave = () => undefined;
  twilio.messages.length = 0;
  const next = await sendText(stage);
  await ended(org, next);
  expect(twilio.messages.map(({ To }) => To)).not.toContain(phone);
});

test('SND-001 what is refused fails, what is put off goes later, what was lost is never sent again', async () => {
  const stage = await newStage(world(), 4);
  const { org, people } = stage;
  const [bad, busy, lost, good] = [...people.keys()];
  let busyTries = 0;
  let lostTries = 0;
  twilio.behave = ({ To }) => {
    if (To === bad) return { code: 21211 };
    if (To === busy && busyTries++ === 0) return { code: 20429, status: 429 };
    if (To === lost) return lostTries++ === 0 ? 'reset' : undefined;
    return undefined;
  };
  const id = await sendText(stage);
  await settled(world(), org);
  expect(await outcomesOf(world(), id)).toEqual({
    'failed refused': 1,
    pending: 1,
    'uncertain no_answer': 1,
    sent: 1,
  });
  await advanceClock(org, 10 * 60);
  await ended(org, id);
  await idle(world());
  expect(await outcomesOf(world(), id)).toEqual({ 'failed refused': 1, 'uncertain no_answer': 1, sent: 2 });
  expect(new Set(twilio.messages.map(({ To }) => To))).toEqual(new Set([busy, good]));
  expect(twilio.messages).toHaveLength(2);
  expect([busyTries, lostTries]).toEqual([2, 1]);
  const rows = await ledgerOf(world(), id);
  expect(rows.find(({ address }) => address === busy)?.history).toMatchObject([
    { what: 'deferred', code: '20429' },
  ]);
  expect(
    JSON.stringify(
      (await world().admin.query('select reply from deliveries where broadcast_id = $1', [id])).rows,
    ),
  ).not.toContain(bad!.slice(1));
  await expectBalanced(world(), id);
});

test('an uncertain text that arrived after all is sent, when Twilio says so', async () => {
  const stage = await newStage(world(), 1);
  const { org } = stage;
  let asked: Asked | undefined;
  twilio.behave = (one) => {
    asked = { sid: 'SMlate', ...one };
    return 'reset';
  };
  const id = await sendText(stage);
  await ended(org, id);
  expect(await outcomesOf(world(), id)).toEqual({ 'uncertain no_answer': 1 });
  expect((await callBack(asked!, 'delivered')).status).toBe(204);
  expect(await totalsOf(org, id)).toMatchObject({ sent: 1, uncertain: 0, delivered: 1 });
  await expectBalanced(world(), id);
});
