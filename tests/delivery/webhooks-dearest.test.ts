// The dearest reports that the account of a route can sign, and what those cost who cannot sign any.
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { measureCall } from '../faces/dearest/measure-call.ts';
import { newRoute, useRoute } from '../support/route.ts';
import { useWorld } from '../support/world.ts';
import { newSent, stateOf, type Sent } from './back-in.ts';
import { startSns, topic, type Sns } from './local-sns.ts';
import { mailgunFailure } from './provider-reports.ts';
import { openWebhooks, post } from './webhook-app.ts';

const signingKey = 'the signing key of acme';
const world = useWorld();
let sns: Sns;
let app: FastifyInstance;
let sent: Sent;
const shed: string[] = [];
beforeAll(async () => {
  sns = await startSns();
  const onShed = (reason: string): void => void shed.push(reason);
  app = await openWebhooks(world(), { fetch: sns.fetch, roots: sns.roots, onShed });
  await newRoute(world(), 'acme', {
    SMTP_URL: 'smtps://acme:password@mail.acme.test',
    SES_TOPIC_ARNS: topic,
    MAILGUN_SIGNING_KEY: signingKey,
  });
  const org = await world().newOrg();
  await useRoute(world(), org, 'acme');
  sent = await newSent(world(), org);
});
afterAll(async () => {
  await app.close();
  await sns.close();
});

/** The bounds of operations. */
const bounds = { blockedMs: 150, grownMb: 64 };

async function holds(act: () => Promise<unknown>): Promise<void> {
  let least = await measureCall(act);
  for (let again = 1; again < 3 && least.blockedMs > bounds.blockedMs; again++)
    least = await measureCall(act);
  expect(least.blockedMs).toBeLessThan(bounds.blockedMs);
  expect(least.grownMb).toBeLessThan(bounds.grownMb);
}

const messages = async (): Promise<number> => (await stateOf(world(), sent)).row.history.length;

test('a report of SES about as many recipients as fit is a report about a few', async () => {
  const delayedRecipients = Array.from({ length: 30_000 }, (_, n) => ({ status: `4.2.${n}` }));
  const Message = JSON.stringify({
    eventType: 'DeliveryDelay',
    mail: { source: sent.returnPath },
    deliveryDelay: { delayType: 'MailboxFull', delayedRecipients },
  });
  const signed = sns.sign({ Message });
  await holds(() => post(app, '/webhooks/ses?route=acme', signed));
  expect(await messages()).toBe(10);
});

test('a report of a megabyte, and one that names our message among many that are none, are read in a moment', async () => {
  const body = mailgunFailure(sent, signingKey);
  const rest = 1024 * 1024 - JSON.stringify(body).length - 100;
  Object.assign(body['event-data'].envelope, { sender: `b-${'0'.repeat(58)}@`.repeat(rest / 61) });
  let status: number | undefined;
  await holds(async () => {
    status = (await post(app, '/webhooks/mailgun?route=acme', body, 'application/json')).status;
    return status;
  });
  expect(status).toBe(200);
});

test('whoever makes up reports of a route holds few connections; the rest is told to come again', async () => {
  const body = mailgunFailure(sent, 'a signing key of nobody');
  const answers = await Promise.all(
    Array.from({ length: 400 }, () => post(app, '/webhooks/mailgun?route=acme', body, 'application/json')),
  );
  const statuses = new Set(answers.map(({ status }) => status));
  expect(statuses).toEqual(new Set([401, 503]));
  expect(new Set(shed)).toEqual(new Set(['email_webhooks_at_once']));
});
