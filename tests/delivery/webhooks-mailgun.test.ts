import { createHmac, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { newSent, stateOf, type Sent } from './back-in.ts';
import { openWebhooks, post } from './webhook-app.ts';

const signingKey = 'a signing key of Mailgun';
const world = useWorld({ env: { MAILGUN_SIGNING_KEY: signingKey } });
let app: FastifyInstance;
beforeAll(async () => {
  app = await openWebhooks(world(), { mailgunSigningKey: signingKey });
});
afterAll(() => app.close());
afterEach(() => {
  world().clock.now = () => new Date();
});

type Fields = Readonly<Record<string, unknown>>;

function signature({ at = Date.now(), key = signingKey, token = randomUUID() } = {}) {
  const timestamp = String(Math.floor(at / 1000));
  return {
    timestamp,
    token,
    signature: createHmac('sha256', key)
      .update(timestamp + token)
      .digest('hex'),
  };
}

const event = (sent: Sent, fields: Fields) => ({
  'event-data': {
    id: randomUUID(),
    recipient: sent.to,
    message: { headers: { 'message-id': sent.messageId, to: sent.to } },
    ...fields,
  },
});
const send = (body: unknown) => post(app, '/webhooks/mailgun', body, 'application/json');
const told = (sent: Sent, fields: Fields) => send({ signature: signature(), ...event(sent, fields) });
const taken = { status: 200, code: undefined };
const refused = { status: 401, code: 'unauthenticated' };

const failures: [string, Fields, object][] = [
  [
    'a permanent failure',
    {
      severity: 'permanent',
      reason: 'bounce',
      'delivery-status': { code: 550, message: '5.1.1 no such user' },
    },
    { bounce_class: 'hard' },
  ],
  [
    'a permanent failure with its own status',
    { severity: 'permanent', 'delivery-status': { code: 550, 'enhanced-code': '5.7.1', message: 'no' } },
    { bounce_class: 'policy' },
  ],
  [
    'a full mailbox',
    { severity: 'permanent', 'delivery-status': { code: 552, message: '5.2.2 full' } },
    { bounce_class: 'soft' },
  ],
  [
    'one that Mailgun gave up',
    { severity: 'permanent', reason: 'old', 'delivery-status': { code: 602, description: 'Too old' } },
    { bounce_class: 'soft' },
  ],
  [
    'one that bounced earlier',
    { severity: 'permanent', reason: 'suppress-bounce', 'delivery-status': { code: 605 } },
    { bounce_class: 'hard' },
  ],
  [
    'a temporary failure',
    { severity: 'temporary', 'delivery-status': { code: 452, message: '4.2.2 full' } },
    { bounce_class: null, history: [{ what: 'deferred', code: '452', reply: '4.2.2 full' }] },
  ],
  [
    'one who complained earlier',
    { severity: 'permanent', reason: 'suppress-complaint' },
    { bounce_class: null },
  ],
  ['a failure without a word', { severity: 'permanent' }, { bounce_class: 'soft' }],
];

test.each(failures)('%s is judged', async (_, fields, row) => {
  const sent = await newSent(world(), await world().newOrg());
  expect(await told(sent, { event: 'failed', ...fields })).toEqual(taken);
  const state = await stateOf(world(), sent);
  expect(state.row).toMatchObject(row);
  expect(state.audit).toMatchObject([{ actor_kind: 'service', actor_id: 'mailgun' }]);
  const ends = 'bounce_class' in row && row.bounce_class === 'hard' ? ['bounced'] : [];
  const complained = fields['reason'] === 'suppress-complaint' ? ['complained'] : [];
  expect(state.blacklist.map(({ reason }: { reason: string }) => reason)).toEqual([...ends, ...complained]);
});

test('deliveries and complaints are noted', async () => {
  const sent = await newSent(world(), await world().newOrg());
  await told(sent, { event: 'delivered' });
  await told(sent, { event: 'complained' });
  await told(sent, { event: 'opened' });
  const { row, blacklist } = await stateOf(world(), sent);
  expect(row).toMatchObject({
    delivered_at: expect.any(Date),
    complained_at: expect.any(Date),
    opened_at: null,
  });
  expect(blacklist).toMatchObject([{ reason: 'complained' }]);
});

test.each([
  ['unsubscribed', {}],
  ['failed', { severity: 'permanent', reason: 'suppress-unsubscribe' }],
])('who unsubscribed with Mailgun is opted out (%s)', async (name, fields) => {
  const org = await world().newOrg();
  const sent = await newSent(world(), org);
  await told(sent, { event: name, ...fields });
  await told(sent, { event: name, ...fields });
  const { row, totals, events } = await stateOf(world(), sent);
  expect(row.unsubscribed_at).toEqual(expect.any(Date));
  expect(totals.unsubscribed).toBe(1);
  expect(events).toMatchObject([
    { name: '$svc_unsubscribed', custom_properties: { broadcast_id: sent.broadcast } },
  ]);
  const { body } = await org.rest(`GET /v1/people/${sent.person}/opt-outs`);
  expect(body.opt_outs).toEqual({ email_opt_out: true, sms_opt_out: false });
});

test('the message is found by its return path, too; one that is not ours is nothing', async () => {
  const sent = await newSent(world(), await world().newOrg());
  const message = { headers: { 'message-id': 'x@mailgun.test' } };
  expect(await told(sent, { event: 'delivered', message, envelope: { sender: 'news@sender.test' } })).toEqual(
    taken,
  );
  expect((await stateOf(world(), sent)).row.delivered_at).toBeNull();
  await told(sent, { event: 'delivered', message, envelope: { sender: sent.returnPath } });
  expect((await stateOf(world(), sent)).row.delivered_at).toEqual(expect.any(Date));
});

test('nothing is believed that Mailgun did not sign just now', async () => {
  const sent = await newSent(world(), await world().newOrg());
  const complaint = event(sent, { event: 'complained' });
  const minute = 60_000;
  const now = Date.now();
  world().clock.now = () => new Date(now);
  const good = signature({ at: now });
  for (const signed of [
    undefined,
    {},
    { ...good, signature: '' },
    { ...good, signature: good.signature.toUpperCase() },
    { ...good, signature: '0'.repeat(64) },
    { ...good, token: randomUUID() },
    { ...good, timestamp: String(Number(good.timestamp) + 1) },
    signature({ key: 'another signing key' }),
    signature({ at: now - 5.1 * minute }),
    signature({ at: now + 5.1 * minute }),
    'x',
    [good],
  ]) {
    expect(await send({ signature: signed, ...complaint })).toEqual(refused);
  }
  expect((await stateOf(world(), sent)).row.complained_at).toBeNull();
  expect(await send({ signature: signature({ at: now - 4.9 * minute }), ...complaint })).toEqual(taken);
  expect((await stateOf(world(), sent)).row.complained_at).toEqual(expect.any(Date));
});

test('a signature counts once: with a used one nothing more can be said', async () => {
  const sent = await newSent(world(), await world().newOrg());
  const signed = signature();
  expect(await send({ signature: signed, ...event(sent, { event: 'delivered' }) })).toEqual(taken);
  expect(await send({ signature: signed, ...event(sent, { event: 'complained' }) })).toEqual(taken);
  const { row } = await stateOf(world(), sent);
  expect(row).toMatchObject({ delivered_at: expect.any(Date), complained_at: null });
});

test('what failed on our side may come again with the same signature', async () => {
  const sent = await newSent(world(), await world().newOrg(), { state: 'sending' });
  const body = { signature: signature(), ...event(sent, { event: 'complained' }) };
  expect(await send(body)).toEqual({ status: 503, code: 'unavailable' });
  await world().admin.query(`update deliveries set state = 'sent', address = $2 where id = $1`, [
    sent.delivery,
    sent.to,
  ]);
  expect(await send(body)).toEqual(taken);
  expect((await stateOf(world(), sent)).row.complained_at).toEqual(expect.any(Date));
});

test('what cannot be read is refused or left, and never breaks anything', async () => {
  for (const body of ['', 'x', '[', 'null', '1']) expect((await send(body)).status).toBe(400);
  for (const data of [
    undefined,
    null,
    1,
    [],
    {},
    { event: 1 },
    { event: 'failed', message: 1, envelope: [] },
  ]) {
    expect(await send({ signature: signature(), 'event-data': data })).toEqual(taken);
  }
});

test('the API itself serves the provider that is configured, and no other', async () => {
  const sent = await newSent(world(), await world().newOrg());
  const call = (path: string, body: unknown) =>
    fetch(world().url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'text/plain' },
    });
  const body = { signature: signature(), ...event(sent, { event: 'delivered' }) };
  expect((await call('/webhooks/mailgun', body)).status).toBe(200);
  expect((await stateOf(world(), sent)).row.delivered_at).toEqual(expect.any(Date));
  const other = await call('/webhooks/ses', {});
  expect([other.status, ((await other.json()) as { code: string }).code]).toEqual([404, 'route_not_found']);
  const lines = world().logLines.join('');
  expect(lines).toContain('"operation":"mailgun_webhook"');
  expect(lines).not.toContain(sent.to);
  expect(lines).not.toContain(sent.token);
});
