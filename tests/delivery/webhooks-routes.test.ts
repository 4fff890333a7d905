import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeRoute } from '../../src/domain/delivery/providers/routes.ts';
import { newRoute, setRoute, useRoute } from '../support/route.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { newSent, stateOf, type Sent } from './back-in.ts';
import { snsHost, startSns, topic, type Sns } from './local-sns.ts';
import { mailgunFailure, sesBounce } from './provider-reports.ts';
import { openWebhooks, post } from './webhook-app.ts';

const keyOf = {
  default: 'the signing key of all',
  acme: 'the signing key of acme',
  beta: 'that of beta co.',
};
const topicOf = {
  default: topic,
  acme: 'arn:aws:sns:eu-west-1:111111111111:acme-events',
  beta: 'arn:aws:sns:eu-west-1:222222222222:beta-events',
};
type Route = keyof typeof keyOf;

const world = useWorld();
let sns: Sns;
let app: FastifyInstance;
const routeSettings = (route: Route) => ({
  SMTP_URL: `smtps://${route}:password@mail.${route}.test`,
  MAILGUN_SIGNING_KEY: keyOf[route],
  SES_TOPIC_ARNS: `arn:aws:sns:eu-west-1:1:x, ${topicOf[route]}`,
});
beforeAll(async () => {
  sns = await startSns();
  app = await openWebhooks(world(), {
    sesTopicArns: [topicOf.default],
    mailgunSigningKey: keyOf.default,
    fetch: sns.fetch,
    roots: sns.roots,
  });
  for (const route of ['acme', 'beta'] as const) await newRoute(world(), route, routeSettings(route));
  await newRoute(world(), 'plain', { SMTP_URL: 'smtps://plain:password@mail.plain.test' });
});
afterAll(async () => {
  await app.close();
  await sns.close();
});

/** An account reports at the address of a route that our message bounced; signed by `as` where that is another. */
const providers = {
  mailgun: (route: string, sent: Sent, as = route as Route) =>
    post(app, `/webhooks/mailgun${queryOf(route)}`, mailgunFailure(sent, keyOf[as]), 'application/json'),
  ses: (route: string, sent: Sent, as = route as Route) =>
    post(
      app,
      `/webhooks/ses${queryOf(route)}`,
      sns.sign({ TopicArn: topicOf[as], Message: sesBounce(sent) }),
    ),
};
const queryOf = (route: string) => (route === 'default' ? '' : `?route=${route}`);
const each = Object.keys(providers) as (keyof typeof providers)[];
const taken = { status: 200, code: undefined };
const refused = { status: 401, code: 'unauthenticated' };

const hasBounced = async (sent: Sent): Promise<boolean> =>
  (await stateOf(world(), sent)).row.bounced_at !== null;

/** One that has used a route for longer than anything takes that is under way. */
async function orgOn(route: string): Promise<TestOrg> {
  const org = await world().newOrg();
  const since = new Date(Date.now() - 2 * 60_000);
  if (route !== 'default') await useRoute(world(), org, route, 'email', since);
  return org;
}

test.each(each)('%s reports over a route, believed by the secret of that route alone', async (provider) => {
  const sent = await newSent(world(), await orgOn('acme'));
  const tell = providers[provider];
  for (const [route, as] of [
    ['acme', 'default'],
    ['acme', 'beta'],
    ['beta', 'acme'],
    ['default', 'acme'],
    ['plain', 'acme'],
    ['nobody', 'acme'],
    ['acme&route=acme', 'acme'],
  ] as const)
    expect([route, as, await tell(route, sent, as)]).toEqual([route, as, refused]);
  expect(await hasBounced(sent)).toBe(false);
  expect(await tell('acme', sent)).toEqual(taken);
  const { row, blacklist, audit } = await stateOf(world(), sent);
  expect(row).toMatchObject({ bounce_class: 'hard' });
  expect(blacklist).toHaveLength(1);
  expect(audit).toMatchObject([{ operation: 'note_bounced', actor_id: provider }]);
});

test.each(each)('%s reports of one route never touch an organization of another', async (provider) => {
  for (const [whose, by] of [
    ['beta', 'acme'],
    ['default', 'acme'],
    ['acme', 'default'],
  ] as const) {
    const sent = await newSent(world(), await orgOn(whose));
    // Whoever holds the account learned the Message-ID from an archive.
    expect(await providers[provider](by, sent)).toEqual(taken);
    expect([whose, by, await hasBounced(sent)]).toEqual([whose, by, false]);
    await providers[provider](whose, sent);
    expect(await hasBounced(sent)).toBe(true);
  }
});

test('what Mailgun was told of unsubscribing counts over the route of the message alone', async () => {
  const org = await orgOn('acme');
  const sent = await newSent(world(), org);
  const isOut = async () =>
    (await org.rest(`GET /v1/people/${sent.person}/opt-outs`)).body.opt_outs.email_opt_out;
  const tell = (route: Route) => {
    const body = mailgunFailure(sent, keyOf[route]);
    Object.assign(body['event-data'], { event: 'unsubscribed' });
    return post(app, `/webhooks/mailgun${queryOf(route)}`, body, 'application/json');
  };
  expect(await tell('beta')).toEqual(taken);
  expect(await isOut()).toBe(false);
  expect(await tell('acme')).toEqual(taken);
  expect(await isOut()).toBe(true);
});

test('a route that was left still reports what went over it, and nothing later', async () => {
  const org = await orgOn('acme');
  const before = await newSent(world(), org);
  await useRoute(world(), org, 'beta');
  const after = await newSent(world(), org, { at: new Date(Date.now() + 5 * 60_000) });
  await providers.ses('default', before);
  expect(await hasBounced(before)).toBe(false); // it left the default before that message
  for (const sent of [before, after]) expect(await providers.ses('acme', sent)).toEqual(taken);
  expect([await hasBounced(before), await hasBounced(after)]).toEqual([true, false]);
  await providers.ses('beta', after);
  expect(await hasBounced(after)).toBe(true);
});

test('a route that is made anew under a name knows nothing of the one before it', async () => {
  await newRoute(world(), 'again', routeSettings('acme'));
  const org = await orgOn('again');
  const sent = await newSent(world(), org);
  await useRoute(world(), org, 'beta');
  expect(await removeRoute(world().database, 'again', new Date())).toEqual([]);
  await newRoute(world(), 'again', routeSettings('acme'));
  expect(await providers.mailgun('again', sent, 'acme')).toEqual(taken);
  expect(await hasBounced(sent)).toBe(false);
});

test('a subscription of a topic is confirmed for the route that has it', async () => {
  const TopicArn = topicOf.acme;
  const SubscribeURL = `https://${snsHost}/?Action=ConfirmSubscription&TopicArn=${TopicArn}&Token=abc`;
  const message = sns.sign({ Type: 'SubscriptionConfirmation', TopicArn, Token: 'abc', SubscribeURL });
  const asked = sns.asked.length;
  for (const query of ['', '?route=beta', '?route=plain'])
    expect(await post(app, `/webhooks/ses${query}`, message)).toEqual(refused);
  expect(sns.asked).toHaveLength(asked);
  expect(await post(app, '/webhooks/ses?route=acme', message)).toEqual(taken);
  expect(sns.asked.at(-1)).toContain('Action=ConfirmSubscription');
});

test('a changed secret holds at once, at the API itself; a token counts once for each account', async () => {
  await newRoute(world(), 'gamma', routeSettings('acme'));
  const sent = await newSent(world(), await orgOn('gamma'));
  const call = async (body: unknown, query = '?route=gamma') => {
    const answer = await fetch(`${world().url}/webhooks/mailgun${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return answer.status;
  };
  await setRoute(world(), 'gamma', routeSettings('beta'));
  expect(await call(mailgunFailure(sent, keyOf.acme))).toBe(401);
  const report = mailgunFailure(sent, keyOf.beta);
  Object.assign(report['event-data'], { event: 'delivered' });
  expect(await call(report)).toBe(200);
  Object.assign(report['event-data'], { event: 'failed' });
  expect(await call(report)).toBe(200);
  expect((await stateOf(world(), sent)).row).toMatchObject({
    delivered_at: expect.any(Date),
    bounced_at: null,
  });
  expect(await call(mailgunFailure(sent, keyOf.default), '')).toBe(404); // the environment has no key here
  expect(world().logLines.join('')).not.toContain(keyOf.beta);
});
