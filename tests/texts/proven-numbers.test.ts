import { afterAll, expect, test } from 'vitest';
import { codesOf, plan } from '../support/broadcast.ts';
import { startTwilio } from '../support/twilio.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { newLiveOrg, readyText } from '../broadcasts/plan/plan-support.ts';
import { publicUrl, twilioSettings } from './text-setting.ts';

const twilio = await startTwilio();
afterAll(() => twilio.stop());
const world = useWorld({ env: twilioSettings(twilio) });

let made = 0;
const newNumber = (): string => `+1556${String(++made).padStart(7, '0')}`;
const claim = (org: TestOrg, number: string) => org.rest('PUT /v1/sms-number', { number });
const smsOf = async (org: TestOrg) => (await org.rest('GET /v1/senders')).body.sms;
const text = (to: string, Body: string) =>
  twilio.deliver(publicUrl, world().url, { From: '+447911123456', To: to, Body });

test('a number is used once somebody has texted to it what only its organization was told', async () => {
  const org = await newLiveOrg(world());
  const number = newNumber();
  const { id } = await readyText(world(), org);
  const { body } = await claim(org, number);
  expect(body.sms).toEqual({ available: false, number, proof: expect.stringMatching(/^ROSTRUM \d{12}$/) });
  expect(codesOf(await plan(org, id), 'error')).toContain('sms_number_missing');
  for (const wrong of [
    'ROSTRUM',
    'ROSTRUM 000000000000',
    `${body.sms.proof}1`,
    body.sms.proof.slice(8),
    'STOP',
  ])
    expect((await text(number, wrong)).status).toBe(200);
  await text(newNumber(), body.sms.proof);
  expect((await smsOf(org)).available).toBe(false);
  await text(number, ` ${body.sms.proof.toLowerCase()}\n`);
  expect(await smsOf(org)).toEqual({ available: true, number, proof: null });
  expect(codesOf(await plan(org, id), 'error')).not.toContain('sms_number_missing');
  const { rows } = await world().admin.query(
    `select actor_kind, actor_id from audit_log where org_id = $1 and operation = 'prove_sms_number'`,
    [org.id],
  );
  expect(rows).toEqual([{ actor_kind: 'service', actor_id: 'inbound_text' }]);
});

test('the same number again keeps its proof, another needs one of its own', async () => {
  const org = await newLiveOrg(world());
  const number = newNumber();
  await text(number, (await claim(org, number)).body.sms.proof);
  expect((await claim(org, number)).body.sms.available).toBe(true);
  expect((await claim(org, newNumber())).body.sms.available).toBe(false);
  expect((await claim(org, number)).body.sms.available).toBe(false);
});

test('a proven number is nobody else’s, and is free when it was given up', async () => {
  const [first, second, tester] = [
    await newLiveOrg(world()),
    await newLiveOrg(world()),
    await world().newOrg(),
  ];
  const number = newNumber();
  const proofs = [(await claim(first, number)).body.sms.proof, (await claim(second, number)).body.sms.proof];
  expect(proofs[0]).not.toBe(proofs[1]);
  await text(number, proofs[0]);
  await text(number, proofs[1]);
  expect([(await smsOf(first)).available, (await smsOf(second)).available]).toEqual([true, false]);
  for (const other of [await newLiveOrg(world()), tester]) {
    expect(await claim(other, number)).toMatchObject({ status: 409, body: { code: 'number_taken' } });
    expect(await smsOf(other)).toMatchObject({ number: null });
  }
  await first.rest('PUT /v1/sms-number', { number: null });
  await text(number, proofs[1]);
  expect((await smsOf(second)).available).toBe(true);
});

test('two proofs at the same moment leave one owner', async () => {
  const orgs = await Promise.all(Array.from({ length: 4 }, () => newLiveOrg(world())));
  const number = newNumber();
  const proofs = await Promise.all(orgs.map(async (org) => (await claim(org, number)).body.sms.proof));
  const answers = await Promise.all(proofs.map((proof) => text(number, proof)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const standing = await Promise.all(orgs.map(smsOf));
  expect(standing.filter(({ available }) => available)).toHaveLength(1);
});
