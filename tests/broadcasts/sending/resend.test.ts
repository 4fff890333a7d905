import { afterEach, expect, test } from 'vitest';
import { newWebinar, register } from '../../support/broadcast.ts';
import { expectBalanced, ledgerOf, outcomesOf } from '../../support/ledger.ts';
import {
  clockOf,
  ended,
  moveClock,
  readBroadcast,
  receiversOf,
  settled,
  useSending,
  scheduleEmail,
} from '../../support/sending.ts';
import { newReaders, newSendingOrg } from '../../support/reader-rows.ts';
import type { TestOrg } from '../../support/test-org.ts';

const sending = useSending();

afterEach(() => {
  sending().mail.refuse = () => undefined;
});

/** A broadcast to registrants that has ended, with some of them uncertain, as a crash would have left them. */
async function newEnded(people: number, uncertain: number, state = 'uncertain', reason = 'interrupted') {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const readers = [...(await newReaders(org, people))];
  const webinar_id = await newWebinar(world, org);
  for (const [, person] of readers) await register(world, org, webinar_id, person);
  const due = await scheduleEmail(world, org, { audience: 'webinar', webinar_id });
  await moveClock(org, due.sendAt);
  await ended(org, due.id);
  const unsure = readers.slice(0, uncertain);
  await world.admin.query(
    `update deliveries set state = $3, reason = $4, sent_at = null where broadcast_id = $1 and person_id = any($2)`,
    [due.id, unsure.map(([, person]) => person), state, reason],
  );
  mail.mails.splice(0); // what follows is about the second message
  return { org, ...due, unsure };
}

const plan = async (org: TestOrg, id: string, fields: object = {}) =>
  (await org.rest(`POST /v1/broadcasts/${id}/plan-resend`, fields)).body;
const resend = (org: TestOrg, id: string, resend_token: string) =>
  org.rest(`POST /v1/broadcasts/${id}/resend`, { resend_token });

test('the uncertain are planned and sent to again, once for a token, and the ledger tells both tries', async () => {
  const { world, mail } = sending();
  const { org, id, subject, unsure } = await newEnded(6, 3);
  const planned = await plan(org, id);
  expect(planned).toMatchObject({
    uncertain: 3,
    failed: 0,
    again: 0,
    reachable: 3,
    excluded: [],
    checks: [],
  });
  const [first, second] = await Promise.all([1, 2].map(() => resend(org, id, planned.resend_token)));
  expect(new Set([first!.status, second!.status])).toEqual(new Set([200, 409]));
  const { broadcast, recipients } = (first!.status === 200 ? first : second)!.body;
  expect([broadcast.status, recipients]).toEqual(['sending', 3]);
  expect(await ended(org, id)).toMatchObject({ status: 'sent', counts: { sent: 6, recipients: 6 } });
  expect(receiversOf(mail, subject).toSorted()).toEqual(unsure.map(([email]) => email).toSorted());
  expect((await resend(org, id, planned.resend_token)).body.code).toBe('plan_stale');
  await settled(world, org);
  expect(receiversOf(mail, subject)).toHaveLength(3);
  await expectBalanced(world, id);
  const { body } = await org.rest(`GET /v1/broadcasts/${id}/recipients/${unsure[0]![1]}`);
  expect(body.outcome).toBe('sent');
  expect(body.steps.map(({ what }: { what: string }) => what)).toEqual([
    'in_audience',
    'resent',
    'due',
    'sent',
  ]);
  const { body: log } = await org.rest(`GET /v1/audit-log?operation=resend_uncertain`);
  expect(log.entries).toMatchObject([{ reason: '3 recipients are sent to again.' }]);
  const { body: events } = await org.rest(`GET /v1/people/${unsure[0]![1]}/events?limit=50`);
  expect(JSON.stringify(events)).toContain('$svc_email_sent');
});

test('the second message is the first one once more: its Message-ID and ways to unsubscribe are the same', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  await newReaders(org, 1);
  const { id, subject, sendAt } = await scheduleEmail(world, org);
  await moveClock(org, sendAt + 3 * 3_600_000);
  await ended(org, id);
  await world.admin.query(
    "update deliveries set state = 'uncertain', reason = 'no_answer', sent_at = null where broadcast_id = $1",
    [id],
  );
  const { resend_token } = await plan(org, id);
  await resend(org, id, resend_token);
  await ended(org, id);
  const [one, other, ...more] = mail.mails.filter((sent) => sent.subject === subject);
  expect(more).toEqual([]);
  // The links in a body are parts of quoted-printable lines.
  const unsubscribeOf = ({ body }: { body: string }) =>
    /\/u\/([0-9a-z]{59})/.exec(body.replaceAll('=\r\n', ''))?.[1] ?? body;
  expect([one!.messageId, unsubscribeOf(one!)]).toEqual([other!.messageId, unsubscribeOf(other!)]);
});

test('who opted out, was deleted, left or shows signs of having it is left out by the plan and by the sending', async () => {
  const { world, mail } = sending();
  const { org, id, subject, unsure } = await newEnded(7, 6);
  const [, optsOut, goes, opened, later, leaves] = unsure.map(([, person]) => person);
  await org.rest(`PUT /v1/people/${optsOut}/opt-outs`, { email_opt_out: true });
  expect((await org.rest(`DELETE /v1/people/${goes}`)).status).toBe(200);
  await world.admin.query('update deliveries set opened_at = now() where person_id = $1', [opened]);
  await world.admin.query('delete from registrations where person_id = $1', [leaves]);
  const planned = await plan(org, id);
  expect(planned).toMatchObject({ uncertain: 6, reachable: 2 });
  expect(
    new Map(planned.excluded.map(({ reason, count }: Record<string, unknown>) => [reason, count])),
  ).toEqual(
    new Map([
      ['opted_out', 1],
      ['deleted', 1],
      ['arrived', 1],
      ['left_audience', 1],
    ]),
  );
  // Between the plan and the sending.
  await org.rest(`PUT /v1/people/${later}/opt-outs`, { email_opt_out: true });
  expect((await resend(org, id, planned.resend_token)).status).toBe(200);
  await ended(org, id);
  expect(receiversOf(mail, subject)).toEqual([unsure[0]![0]]);
  // Whoever was left out is as uncertain as before: they may have the first message.
  expect(await outcomesOf(world, id)).toEqual({ sent: 2, 'uncertain interrupted': 5 });
  await expectBalanced(world, id);
  const { body } = await org.rest(`GET /v1/broadcasts/${id}/recipients/${later}`);
  expect(body.outcome).toBe('uncertain');
  expect(JSON.stringify(body.steps)).toContain('It was not sent again: they had opted out of email.');
  expect((await org.rest(`DELETE /v1/broadcasts/${id}`)).body.code).toBe('already_received');
});

test('a second try that is refused leaves them uncertain, suppresses the address and gives the allowance back', async () => {
  const { world, mail } = sending();
  const { org, id, unsure } = await newEnded(2, 1);
  mail.refuse = () => ({ code: 550, text: '5.1.1 no such user' });
  await world.admin.query("insert into allowances (org_id, channel, per_month) values ($1, 'email', 1000)", [
    org.id,
  ]);
  const used = async () => (await org.rest('GET /v1/usage')).body;
  const before = await used();
  const { resend_token } = await plan(org, id);
  await resend(org, id, resend_token);
  expect((await ended(org, id)).status).toBe('sent');
  expect(await outcomesOf(world, id)).toEqual({ sent: 1, 'uncertain interrupted': 1 });
  expect(await used()).toEqual(before);
  expect(await plan(org, id)).toMatchObject({
    again: 1,
    reachable: 0,
    excluded: [{ reason: 'bounced', count: 1 }],
  });
  const [row] = (await ledgerOf(world, id)).filter(({ person_id }) => person_id === unsure[0]![1]);
  expect(row!.history.map(({ what }) => what)).toEqual(['resent', 'not_resent', 'refused']);
});

test('failed ones are sent to again only where asked for, and not those whose address bounced', async () => {
  const { world, mail } = sending();
  const { org, id, subject, unsure } = await newEnded(4, 2, 'failed', 'refused');
  await world.admin.query("update deliveries set reason = 'bounced' where person_id = $1", [unsure[1]![1]]);
  expect(await plan(org, id)).toMatchObject({ uncertain: 0, failed: 0, reachable: 0 });
  const planned = await plan(org, id, { include_failed: true });
  expect(planned).toMatchObject({ uncertain: 0, failed: 1, reachable: 1 });
  await resend(org, id, planned.resend_token);
  await ended(org, id);
  expect(receiversOf(mail, subject)).toEqual([unsure[0]![0]]);
  expect(await outcomesOf(world, id)).toEqual({ sent: 3, 'failed bounced': 1 });
  await expectBalanced(world, id);
});

test('who ends uncertain again is sent to once more only by another plan, and a stop leaves everybody as they were', async () => {
  const { world, mail } = sending();
  const { org, id, subject } = await newEnded(3, 2);
  mail.refuse = () => ({ code: 451, text: '4.3.0 later' });
  const { resend_token } = await plan(org, id);
  await resend(org, id, resend_token);
  await expect
    .poll(async () => (await ledgerOf(world, id)).some(({ attempts }) => attempts === 1))
    .toBe(true);
  expect((await org.rest(`POST /v1/broadcasts/${id}/stop`)).status).toBe(200);
  expect(await ended(org, id)).toMatchObject({ status: 'sent', counts: { sent: 1 } });
  expect(await outcomesOf(world, id)).toEqual({ sent: 1, 'uncertain interrupted': 2 });
  mail.refuse = () => undefined;
  const again = await plan(org, id);
  expect(again).toMatchObject({ uncertain: 2, again: 2, reachable: 2 });
  await resend(org, id, again.resend_token);
  expect((await ended(org, id)).counts.sent).toBe(3);
  expect(receiversOf(mail, subject)).toHaveLength(2);
});

test('what is not over, a token of something else and a plan over an hour old are refused', async () => {
  const { world } = sending();
  const { org, id } = await newEnded(1, 1);
  const { resend_token } = await plan(org, id);
  expect((await resend(org, id, 'nothing')).body.code).toBe('plan_stale');
  const reader = await world.newKey(org, ['broadcasts.read', 'broadcasts.write']);
  expect((await resend(reader, id, resend_token)).status).toBe(403);
  await moveClock(org, (await clockOf(org)) + 3_600_000 + 60_000);
  expect((await resend(org, id, resend_token)).body.code).toBe('plan_expired');
  const { id: scheduled } = await scheduleEmail(world, org);
  expect((await plan(org, scheduled)).code).toBe('not_finished');
  expect((await readBroadcast(org, id)).status).toBe('sent');
});
