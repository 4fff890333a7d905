import { expect, test } from 'vitest';
import { sendTest } from '../../../src/domain/broadcasts/sending/send-test.ts';
import type {
  OutgoingEmail,
  OutgoingText,
  Provider,
} from '../../../src/domain/delivery/outgoing/outgoing.ts';
import { root, user } from '../../content/paths.ts';
import { auditOf } from '../../support/audit.ts';
import { newDraft, newWebinar, setLayout } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import { runParts } from '../../support/lane.ts';

import { newSendingOrg } from '../../support/reader-rows.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { countOf } from '../../support/webinar.ts';
import { textOf } from '../../support/text-of.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();
const html = '<p>Hello {{var_a}} <a href="https://a.example/1">there</a></p>';
const variables = { var_a: { variable: user('first_name'), fallback: '' } };

const newMessage = async (org: TestOrg, fields: Readonly<Record<string, unknown>> = {}): Promise<string> => {
  const sender_id = await newSender(world(), org);
  const draft = { audience: 'everyone', subject: 'News', html, variables, sender_id, ...fields };
  return (await newDraft(org, draft)).id;
};

const listing = <Message>(taken: Message[]): Provider<Message> => ({
  name: 'a list',
  close: async () => undefined,
  send: async (message) => {
    taken.push(message);
    return { outcome: 'sent', reply: '250 ok' };
  },
});

/** Does what the engine is told to do about a test, twice. */
async function deliver(org: TestOrg, test_send_id: string) {
  const [emails, texts]: [OutgoingEmail[], OutgoingText[]] = [[], []];
  const parts = runParts(world(), { email: listing(emails), text: listing(texts) });
  for (let times = 0; times < 2; times++) await sendTest(parts, { org_id: org.id, test_send_id });
  return { emails, texts };
}

test('a test goes to the addresses named, once, marked, with examples, and without tracking', async () => {
  const org = await newSendingOrg(world());
  const id = await newMessage(org);
  const to = ['me@example.com', 'You@Example.com', 'me@example.com'];
  const { status, body } = await org.rest(`POST /v1/broadcasts/${id}/test`, { to });
  expect(status).toBe(200);
  expect(body).toMatchObject({ to: ['me@example.com', 'you@example.com'], left_out: [] });
  const { rows } = await world().admin.query('select payload from outbox where org_id = $1', [org.id]);
  expect(rows.map(({ payload }) => payload)).toContainEqual({
    org_id: org.id,
    test_send_id: body.test_send_id,
  });
  const { emails } = await deliver(org, body.test_send_id);
  expect(emails.map(({ to: address, subject }) => [address, subject])).toEqual([
    ['me@example.com', '[Test] News'],
    ['you@example.com', '[Test] News'],
  ]);
  expect(textOf(emails[0]!.html)).toContain('Hello Ada');
  expect(textOf(emails[0]!.html)).toContain('href="https://a.example/1"');
  expect(textOf(emails[0]!.html)).not.toContain('/t/o/');
  expect(new Set(emails.map(({ messageId }) => messageId)).size).toBe(2);
  expect(await auditOf(world(), org, 'test_broadcast')).toEqual([
    { ids: { broadcast_id: id, test_send_id: body.test_send_id }, reason: null, actor_id: org.keyId },
  ]);
});

test('a test counts nowhere, and of it no address stays', async () => {
  const org = await newSendingOrg(world());
  const person = await org.person({ email: 'me@example.com', first_name: 'Rita' });
  const id = await newMessage(org);
  const { body } = await org.rest(`POST /v1/broadcasts/${id}/test`, {
    to: ['me@example.com'],
    person_id: person,
  });
  const { emails } = await deliver(org, body.test_send_id);
  expect(textOf(emails[0]!.html)).toContain('Hello Rita');
  for (const table of ['deliveries', 'events', 'broadcast_links'])
    expect([table, await countOf(world(), org, table)]).toEqual([table, 0]);
  const { totals } = (await org.rest(`GET /v1/broadcasts/${id}/stats`)).body;
  expect(new Set(Object.values(totals))).toEqual(new Set([0]));
  const { body: read } = await org.rest(`GET /v1/broadcasts/${id}`);
  expect(read.broadcast.status).toBe('draft');
  const { rows } = await world().admin.query('select addresses from test_sends where org_id = $1', [org.id]);
  expect(rows).toEqual([{ addresses: [] }]);
  // Whoever presses its unsubscribe button is unsubscribed from nothing.
  const unsubscribe = /<(.*)>/.exec(emails[0]!.headers['List-Unsubscribe']!)![1]!;
  const pressed = await fetch(unsubscribe, { method: 'POST' });
  expect([pressed.status, await pressed.text()]).toEqual([200, expect.stringContaining('This was a test')]);
  expect(await countOf(world(), org, 'opt_outs')).toBe(0);
});

test('suppressed addresses get nothing, also when they became so meanwhile', async () => {
  const org = await newSendingOrg(world());
  const [out, bounced, late] = ['out@example.com', 'bounced@example.com', 'late@example.com'];
  const person = await org.person({ email: out });
  await org.rest(`PATCH /v1/people/${person}/opt-outs`, { email_opt_out: true });
  const other = await org.person({ email: bounced });
  await world().admin.query(
    `insert into email_blacklist (org_id, id, person_id, email, reason, created_at)
     values ($1, gen_random_uuid(), $2, $3, 'bounced', now())`,
    [org.id, other, bounced],
  );
  const gone = await org.person({ email: 'gone@example.com' });
  await org.rest(`PATCH /v1/people/${gone}/opt-outs`, { email_opt_out: true });
  await org.rest(`DELETE /v1/people/${gone}?drop_suppression=true`);
  const id = await newMessage(org);
  const to = [out, bounced, 'gone@example.com', late, 'me@example.com'];
  const { body } = await org.rest(`POST /v1/broadcasts/${id}/test`, { to });
  expect(body.to).toEqual([late, 'me@example.com']);
  expect(body.left_out.toSorted()).toEqual([bounced, 'gone@example.com', out].toSorted());
  const latecomer = await org.person({ email: late });
  await org.rest(`PATCH /v1/people/${latecomer}/opt-outs`, { email_opt_out: true });
  const { emails } = await deliver(org, body.test_send_id);
  expect(emails.map((email) => email.to)).toEqual(['me@example.com']);
  // Who may not read people does not learn by it who is suppressed.
  const blind = await world().newKey(org, ['broadcasts.schedule']);
  const { body: told } = await blind.rest(`POST /v1/broadcasts/${id}/test`, { to });
  expect(told).toMatchObject({ to, left_out: [] });
  expect((await deliver(org, told.test_send_id)).emails.map((email) => email.to)).toEqual(['me@example.com']);
});

test('a text goes to numbers, however they are written, and not to those who said stop', async () => {
  const org = await world().newOrg();
  await org.rest('PUT /v1/sms-number', { number: '+15550001111' });
  await org.rest('PATCH /v1/settings', { test_recipients: ['+15550002222'] });
  const webinar_id = await newWebinar(world(), org, { title: 'The talk' });
  const { id } = await newDraft(org, {
    channel: 'sms',
    audience: 'webinar',
    webinar_id,
    message_body: '{{var_t}} begins',
    variables: { var_t: { variable: root('webinar_title') } },
  });
  const stopped = await org.person({ phone: '+1 555 000-3333' });
  await org.rest(`PATCH /v1/people/${stopped}/opt-outs`, { sms_opt_out: true });
  const { body } = await org.rest(`POST /v1/broadcasts/${id}/test`, {
    to: ['+1 (555) 000-2222', '+15550003333', '+15550004444'],
  });
  expect(body).toMatchObject({ to: ['+15550002222', '+15550004444'], left_out: ['+15550003333'] });
  const { texts } = await deliver(org, body.test_send_id);
  // A test organization really writes to its test recipients alone.
  expect(texts.map((text) => [text.to, text.body])).toEqual([['+15550002222', '[Test] The talk begins']]);
});

test('what cannot be sent, too many and what is no address are refused', async () => {
  const org = await newSendingOrg(world());
  const id = await newMessage(org, { subject: undefined });
  const unfinished = await org.rest(`POST /v1/broadcasts/${id}/test`, { to: ['me@example.com'] });
  expect([unfinished.status, unfinished.body.code]).toEqual([409, 'broadcast_unfinished']);
  expect(unfinished.body.errors.map(({ code }: { code: string }) => code)).toEqual(['subject_missing']);
  const ready = await newMessage(org);
  const six = Array.from({ length: 6 }, (_, n) => `${n}@example.com`);
  for (const to of [[], six, ['nobody'], ['+15550001111']])
    expect([to, (await org.rest(`POST /v1/broadcasts/${ready}/test`, { to })).status]).toEqual([to, 400]);
  expect(await countOf(world(), org, 'test_sends')).toBe(0);
});

test('an organization has a hundred tests in a day', async () => {
  const org = await newSendingOrg(world());
  const id = await newMessage(org);
  await world().admin.query(
    `insert into test_sends (org_id, id, broadcast_id, addresses, messages, created_at, taken_at)
     values ($1, gen_random_uuid(), $2, '{}', 98, now() - interval '23 hours', now()),
       ($1, gen_random_uuid(), $2, '{}', 50, now() - interval '25 hours', now())`,
    [org.id, id],
  );
  const ask = (...to: string[]) => org.rest(`POST /v1/broadcasts/${id}/test`, { to });
  const refused = await ask('a@example.com', 'b@example.com', 'c@example.com');
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  expect((await ask('a@example.com', 'b@example.com')).status).toBe(200);
  expect((await ask('a@example.com')).status).toBe(429);
});

test('a test needs broadcasts.schedule, people.read to choose whose, and the own organization', async () => {
  const [org, other] = [await newSendingOrg(world()), await world().newOrg()];
  await setLayout(org);
  const id = await newMessage(org);
  const person_id = await org.person({ email: 'rita@example.com' });
  const [to, route] = [['me@example.com'], `POST /v1/broadcasts/${id}/test`];
  const writer = await world().newKey(org, ['broadcasts.write', 'broadcasts.read', 'people.read']);
  expect((await writer.rest(route, { to })).status).toBe(403);
  const blind = await world().newKey(org, ['broadcasts.schedule']);
  expect((await blind.rest(route, { to, person_id })).body.code).toBe('forbidden');
  expect((await other.rest(route, { to })).body.code).toBe('not_found');
  const stranger = await other.person({ email: 'x@example.com' });
  expect((await org.rest(route, { to, person_id: stranger })).body.code).toBe('not_found');
  expect(await countOf(world(), org, 'test_sends')).toBe(0);
});
