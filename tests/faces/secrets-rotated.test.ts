import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { readToken, tokenFor } from '../../src/domain/delivery/ledger/delivery-token.ts';
import { feedbackAddress, isFeedbackAddress } from '../../src/domain/delivery/outgoing/feedback-address.ts';
import { isProof, proofOf } from '../../src/domain/senders/sms-number.ts';
import { buildApi } from '../../src/main/build-api.ts';
import { readConfig } from '../../src/main/config.ts';
import { keyring } from '../../src/main/keys.ts';
import { plan, readyDraft } from '../support/broadcast.ts';
import { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const old = 'a secret for tests that nobody else has';
const fresh = 'a newer secret for tests that nobody has';
const world = useWorld();

/** The same database, served by a process that was started with other secrets. */
async function serveWith(ROSTRUM_SECRET: string): Promise<FastifyInstance> {
  const { database, clock } = world();
  const app = await buildApi({
    config: readConfig({ DATABASE_URL: world().databaseUrl, ROSTRUM_SECRET }),
    database,
    clock,
    log: pino({ level: 'silent' }),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app;
}

test('what an older secret made is believed, what is made is made by the first', async () => {
  const [before, after, both] = [old, fresh, `${fresh},${old}`].map((ROSTRUM_SECRET) =>
    keyring({ ROSTRUM_SECRET }),
  );
  const { id: org } = await world().newOrg();
  const message = { org, delivery: 7 };
  const [made, remade] = [tokenFor(before!, 'open', message), tokenFor(both!, 'open', message)];
  expect(remade).toBe(tokenFor(after!, 'open', message));
  expect([made, remade].map((token) => readToken(both!, 'open', token)?.delivery)).toEqual([7, 7]);
  expect([made, remade].map((token) => readToken(after!, 'open', token)?.delivery)).toEqual([undefined, 7]);
  const host = 'bounce.rostrum.test';
  expect(isFeedbackAddress(both!, host, feedbackAddress(before!, host))).toBe(true);
  expect(isFeedbackAddress(after!, host, feedbackAddress(before!, host))).toBe(false);
  expect(isProof(both!, org, '+15550001111', proofOf(before!, org, '+15550001111'))).toBe(true);
  const sealed = before!.tokens.seal('x', 'here');
  expect([both!, after!].map(({ tokens }) => tokens.open(sealed, 'here')?.toString())).toEqual([
    'x',
    undefined,
  ]);
});

test('who was suppressed under the old secret stays suppressed, and a plan made before can be scheduled', async () => {
  const org = await world().newOrg();
  const email = 'gone@example.com';
  const person = await org.person({ email });
  await org.rest(`PATCH /v1/people/${person}/opt-outs`, { email_opt_out: true });
  await org.rest(`DELETE /v1/people/${person}?drop_suppression=true`);
  const { id } = await readyDraft(world(), org);
  const { plan_token } = await plan(org, id);
  const both = await serveWith(`${fresh}, ${old}`);
  onTestFinished(() => both.close());
  const there = new TestOrg(both.listeningOrigin, org.id, org.keyId, org.secret);
  const back = await there.person({ email });
  expect((await there.rest(`GET /v1/people/${back}/opt-outs`)).body.opt_outs).toMatchObject({
    email_opt_out: true,
  });
  expect((await there.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token })).status).toBe(200);
});

test.each([`${fresh},short`, `short,${fresh}`, `${fresh},`, 'short'])('%s is no secret', (ROSTRUM_SECRET) => {
  expect(() => readConfig({ ROSTRUM_SECRET })).toThrow(/ROSTRUM_SECRET/);
});

test('a plan token is taken exactly as it was issued', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  const { plan_token } = await plan(org, id);
  const last = plan_token.at(-1);
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const twin = letters[letters.indexOf(last) ^ 1]!;
  for (const changed of [
    `${plan_token}=`,
    `${plan_token} `,
    ` ${plan_token}`,
    `${plan_token}\n`,
    plan_token.slice(0, -1) + twin,
  ])
    expect((await org.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token: changed })).status).toBe(409);
  expect((await org.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token })).status).toBe(200);
});
