import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { newSent, stateOf, type Sent } from './back-in.ts';
import { certificateUrl, pathOf, snsHost, startSns, topic, type Sns } from './local-sns.ts';
import { openWebhooks, post } from './webhook-app.ts';

const world = useWorld();
let sns: Sns;
let app: FastifyInstance;
beforeAll(async () => {
  sns = await startSns();
  app = await openWebhooks(world(), {
    sesTopicArns: ['arn:aws:sns:eu-west-1:1:x', topic],
    fetch: sns.fetch,
    roots: sns.roots,
  });
});
afterAll(async () => {
  await app.close();
  await sns.close();
});

type Fields = Readonly<Record<string, unknown>>;

const send = (body: unknown, to = app) => post(to, '/webhooks/ses', body);
const taken = { status: 200, code: undefined };
const refused = { status: 401, code: 'unauthenticated' };

const mailOf = ({ returnPath, messageId, to }: Sent): Fields => ({
  timestamp: '2026-07-07T10:00:00.000Z',
  messageId: '0102018f-1111',
  source: returnPath,
  destination: [to],
  headers: [{ name: 'Message-ID', value: `<${messageId}>` }],
});
const said = (sent: Sent, event: Fields) =>
  sns.sign({ Message: JSON.stringify({ mail: mailOf(sent), ...event }) });
const bounce = (sent: Sent, bounceType: string, bounceSubType: string, status?: string, words?: string) =>
  said(sent, {
    notificationType: 'Bounce',
    bounce: {
      bounceType,
      bounceSubType,
      bouncedRecipients: [{ emailAddress: sent.to, action: 'failed', status, diagnosticCode: words }],
    },
  });

const bounces: [string, string, string | undefined, string | undefined, string | null][] = [
  ['Permanent', 'General', '5.1.1', 'smtp; 550 5.1.1 user unknown', 'hard'],
  ['Permanent', 'NoEmail', undefined, undefined, 'hard'],
  ['Permanent', 'Suppressed', '5.1.1', 'Amazon SES has suppressed sending to this address', 'hard'],
  ['Permanent', 'OnAccountSuppressionList', undefined, 'on your account suppression list', 'hard'],
  ['Permanent', 'General', '5.7.1', 'smtp; 550 5.7.1 blocked for spam', 'policy'],
  ['Permanent', 'General', undefined, undefined, 'soft'],
  ['Transient', 'MailboxFull', '5.2.2', 'smtp; 552 5.2.2 full', 'soft'],
  ['Transient', 'General', '5.1.1', 'smtp; 550 5.1.1 so it says', 'soft'],
  ['Undetermined', 'Undetermined', undefined, undefined, 'soft'],
];

test.each(bounces)('a bounce %s, %s (%s) is judged', async (type, subType, status, words, judged) => {
  const sent = await newSent(world(), await world().newOrg());
  expect(await send(bounce(sent, type, subType, status, words))).toEqual(taken);
  const { row, blacklist, audit } = await stateOf(world(), sent);
  expect(row.bounce_class).toBe(judged);
  expect(blacklist).toHaveLength(judged === 'hard' ? 1 : 0);
  expect(audit).toMatchObject([{ operation: 'note_bounced', actor_kind: 'service', actor_id: 'ses' }]);
});

test('every recipient of a bounce is looked at', async () => {
  const sent = await newSent(world(), await world().newOrg());
  const message = said(sent, {
    eventType: 'Bounce',
    bounce: {
      bounceType: 'Permanent',
      bounceSubType: 'General',
      bouncedRecipients: [{ status: '5.2.2' }, { emailAddress: sent.to, status: '5.1.1' }],
    },
  });
  await send(message);
  expect((await stateOf(world(), sent)).row.bounce_class).toBe('hard');
});

test.each(['notificationType', 'eventType'])('complaints and deliveries are told as %s', async (name) => {
  const complained = await newSent(world(), await world().newOrg());
  const complaint = {
    complainedRecipients: [{ emailAddress: complained.to }],
    complaintFeedbackType: 'abuse',
  };
  expect(await send(said(complained, { [name]: 'Complaint', complaint }))).toEqual(taken);
  expect((await stateOf(world(), complained)).blacklist).toMatchObject([{ reason: 'complained' }]);
  const delivered = await newSent(world(), await world().newOrg());
  await send(said(delivered, { [name]: 'Delivery', delivery: { recipients: [delivered.to] } }));
  expect((await stateOf(world(), delivered)).row.delivered_at).toEqual(expect.any(Date));
});

test('a delay is history, and what is no complaint is nothing', async () => {
  const sent = await newSent(world(), await world().newOrg());
  const deliveryDelay = {
    delayType: 'MailboxFull',
    delayedRecipients: [{ status: '4.2.2', diagnosticCode: 'x' }],
  };
  await send(said(sent, { eventType: 'DeliveryDelay', deliveryDelay }));
  await send(said(sent, { eventType: 'Complaint', complaint: { complaintFeedbackType: 'not-spam' } }));
  await send(said(sent, { eventType: 'Open', open: {} }));
  const { row, audit } = await stateOf(world(), sent);
  expect(row).toMatchObject({
    complained_at: null,
    bounced_at: null,
    history: [{ what: 'deferred', code: '4.2.2' }],
  });
  expect(audit).toHaveLength(1);
});

test('the same message again changes nothing', async () => {
  const sent = await newSent(world(), await world().newOrg());
  const message = bounce(sent, 'Permanent', 'NoEmail');
  await send(message);
  const once = await stateOf(world(), sent);
  expect(await send(message)).toEqual(taken);
  expect(await stateOf(world(), sent)).toEqual(once);
});

test('the message is found by its own id where the sender is another', async () => {
  const sent = await newSent(world(), await world().newOrg());
  for (const [mail, found] of [
    [{ source: 'news@sender.test' }, false],
    [{ source: 'news@sender.test', headers: [{ name: 'message-id', value: `<${sent.messageId}>` }] }, true],
  ] as const) {
    await send(sns.sign({ Message: JSON.stringify({ eventType: 'Delivery', mail }) }));
    expect((await stateOf(world(), sent)).row.delivered_at !== null).toBe(found);
  }
});

test('a subject is part of what is signed', async () => {
  const sent = await newSent(world(), await world().newOrg());
  const Message = JSON.stringify({ eventType: 'Delivery', mail: mailOf(sent) });
  expect(await send(sns.sign({ Message, Subject: 'Amazon SES Email Event Notification' }))).toEqual(taken);
  expect(await send({ ...sns.sign({ Message }), Subject: 'put in later' })).toEqual(refused);
});

test('nothing is believed that Amazon did not sign for us', async () => {
  const sent = await newSent(world(), await world().newOrg());
  const Message = JSON.stringify({ notificationType: 'Complaint', mail: mailOf(sent), complaint: {} });
  const good = sns.sign({ Message });
  const other = sns.sign({ Message: '{}' });
  const forgeries: Fields[] = [
    { ...other, Message },
    { ...good, Signature: other['Signature'] },
    { ...good, Signature: '' },
    { ...good, Signature: 'AAAA' },
    { ...good, Timestamp: new Date(0).toISOString() },
    { ...good, TopicArn: 'arn:aws:sns:eu-west-1:1:x' },
    sns.sign({ Message }, 'RSA-SHA256', sns.othersKey),
    sns.sign({ Message, TopicArn: 'arn:aws:sns:eu-west-1:999:theirs' }),
    sns.sign({ Message, SignatureVersion: '1' }, 'RSA-SHA1'),
    sns.sign({ Message, SignatureVersion: '1' }),
    ...[
      `http://sns.eu-west-1.amazonaws.com${pathOf('ours')}`,
      `https://sns.eu-west-1.amazonaws.com${pathOf('ours')}?x=y`,
      `https://sns.eu-west-1.amazonaws.com${pathOf('ours')}#x`,
      `https://sns.eu-west-1.amazonaws.com/x/..${pathOf('ours')}`,
      `https://sns.eu-central-1.amazonaws.com${pathOf('ours')}`,
      `https://SNS.eu-west-1.amazonaws.com${pathOf('ours')}`,
      'https://sns.eu-west-1.amazonaws.com/x.pem',
      'https://sns.eu-west-1.amazonaws.com.evil.test/x.pem',
      'https://evil.test/sns.eu-west-1.amazonaws.com/x.pem',
      'https://sns.eu-west-1.amazonaws.com@evil.test/x.pem',
      'https://u:p@sns.eu-west-1.amazonaws.com/x.pem',
      'https://sns.eu-west-1.amazonaws.com:8443/x.pem',
      'https://s3.eu-west-1.amazonaws.com/bucket/x.pem',
      'https://sns.evil.test.amazonaws.com/x.pem',
      'file:///etc/passwd',
      '',
    ].map((SigningCertURL) => sns.sign({ Message, SigningCertURL })),
  ];
  for (const forgery of forgeries) expect(await send(forgery)).toEqual(refused);
  expect((await stateOf(world(), sent)).row.complained_at).toBeNull();
  expect(await send(good)).toEqual(taken);
  expect((await stateOf(world(), sent)).row.complained_at).toEqual(expect.any(Date));
});

test('a certificate that cannot be had in good order is asked for again', async () => {
  const later = { status: 503, code: 'unavailable' };
  for (const name of ['away', 'gone', 'huge', 'moved', 'broken', 'of its own']) {
    const message = sns.sign({ SigningCertURL: certificateUrl(name) });
    const before = sns.asked.length;
    expect([name, await send(message), await send(message)]).toEqual([name, later, later]);
    expect(sns.asked.slice(before)).toEqual([pathOf(name), pathOf(name)]);
  }
  expect(await send(sns.sign({ SigningCertURL: certificateUrl('others') }))).toEqual(refused);
  for (const name of ['of another name', 'of another authority']) {
    expect([name, await send(sns.sign({ SigningCertURL: certificateUrl(name) }))]).toEqual([name, later]);
  }
});

test('a certificate is fetched once, and not believed when its time is over', async () => {
  const fresh = await openWebhooks(world(), { sesTopicArns: [topic], fetch: sns.fetch, roots: sns.roots });
  const before = sns.asked.length;
  const many = await Promise.all(Array.from({ length: 5 }, () => send(sns.sign({}), fresh)));
  expect(many).toEqual(many.map(() => taken));
  expect(sns.asked.slice(before)).toEqual([pathOf('ours'), '/test1.cer']);
  const past = { now: () => new Date('2020-01-01T00:00:00Z') };
  const then = await openWebhooks(world(), {
    sesTopicArns: [topic],
    fetch: sns.fetch,
    roots: sns.roots,
    clock: past,
  });
  expect((await send(sns.sign({}), then)).status).toBe(503);
  await fresh.close();
  await then.close();
});

test('a subscription is confirmed at SNS, and nowhere else', async () => {
  const confirm = (SubscribeURL: string) =>
    send(sns.sign({ Type: 'SubscriptionConfirmation', Token: 'abc', SubscribeURL }));
  const query = `?Action=ConfirmSubscription&TopicArn=${topic}&Token=abc`;
  const before = sns.asked.length;
  expect(await confirm(`https://${snsHost}/${query}`)).toEqual(taken);
  expect(sns.asked.slice(before)).toContain(`/${query}`);
  const asked = sns.asked.length;
  for (const url of [
    `https://evil.test/${query}`,
    `http://${snsHost}/${query}`,
    `https://${snsHost}/?Action=DeleteTopic&TopicArn=${topic}`,
    `https://${snsHost}/?Action=ConfirmSubscription&TopicArn=${topic}x`,
    `https://${snsHost}/${query}&More=x`,
    `https://${snsHost}/x${query}`,
    `https://sns.eu-central-1.amazonaws.com/${query}`,
    '',
  ]) {
    expect((await confirm(url)).status).toBe(400);
  }
  expect(sns.asked).toHaveLength(asked);
  const unsigned = sns.sign({
    Type: 'SubscriptionConfirmation',
    Token: 'abc',
    SubscribeURL: `https://${snsHost}/${query}`,
  });
  expect(await send({ ...unsigned, Token: 'other' })).toEqual(refused);
  expect(sns.asked).toHaveLength(asked);
});

test('what SES says in passing is taken, and what is no message of SNS refused', async () => {
  const greeting = 'Successfully validated SNS topic for Amazon SES event publishing.';
  for (const Message of [greeting, '[]', 'null', '{"mail":1}', '{"eventType":"Bounce","mail":{}}']) {
    expect(await send(sns.sign({ Message }))).toEqual(taken);
  }
  expect(await send(sns.sign({ Type: 'UnsubscribeConfirmation', Token: 'x', SubscribeURL: 'x' }))).toEqual(
    taken,
  );
  for (const body of ['', 'x', '[]', 'null', '{}', '{"Type":"Notification"}']) {
    expect((await send(body)).status).toBe(400);
  }
  expect((await send('x'.repeat(1_100_000))).status).toBe(413);
});

test('a message that is being handed over is asked about again', async () => {
  const sent = await newSent(world(), await world().newOrg(), { state: 'sending' });
  expect(await send(bounce(sent, 'Permanent', 'NoEmail'))).toEqual({ status: 503, code: 'unavailable' });
});
