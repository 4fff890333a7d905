import { expect, test } from 'vitest';
import { feedbackAddress } from '../../src/domain/delivery/outgoing/feedback-address.ts';
import { keyring } from '../../src/main/keys.ts';
import { plan } from '../support/broadcast.ts';
import { useWorld } from '../support/world.ts';
import { feedback, forwarded } from './arf-samples.ts';
import { mail, newSent, stateOf, tokenOf, useMailbox, type Sent } from './back-in.ts';
import { sampleOf } from './dsn-samples.ts';

const world = useWorld();
const mailbox = useMailbox(world);

const loop = (): string => feedbackAddress(keyring(world().config), 'bounce.rostrum.test');
const complain = (message: string, to = loop()): Promise<string> =>
  mail(mailbox().port, to, message, 'fbl@mailbox.test');

test.each([
  ['the feedback loop', loop, feedback],
  ['the same, with the message attached whole', loop, forwarded],
  ['an address in capitals', () => loop().toUpperCase(), feedback],
])('a complaint through %s ends writing to that address for good', async (_, to, report) => {
  const sent = await newSent(world(), await world().newOrg());
  expect(await complain(report(sent), to())).toMatch(/^250 /);
  const { row, totals, blacklist, events, audit } = await stateOf(world(), sent);
  expect(row).toMatchObject({ state: 'sent', complained_at: expect.any(Date), bounced_at: null });
  expect(row.history).toEqual([{ at: expect.any(String), what: 'complained' }]);
  expect(totals).toMatchObject({ complained: 1, bounced: 0 });
  expect(blacklist).toEqual([{ person_id: sent.person, email: sent.to, reason: 'complained' }]);
  expect(events).toEqual([
    { name: '$svc_email_complained', custom_properties: { broadcast_id: sent.broadcast } },
  ]);
  expect(audit).toMatchObject([{ operation: 'note_complained', actor_id: 'mailbox' }]);
});

test('PLN-017 whoever complained is excluded from the next plan, for that reason', async () => {
  const org = await world().newOrg();
  const sent = await newSent(world(), org);
  await complain(feedback(sent));
  expect((await plan(org, sent.broadcast)).audience).toMatchObject({
    recipients: 1,
    reachable: 0,
    excluded: [{ reason: 'complained', count: 1 }],
  });
});

test('a complaint twice is one', async () => {
  const sent = await newSent(world(), await world().newOrg());
  await complain(feedback(sent));
  const once = await stateOf(world(), sent);
  expect(await complain(feedback(sent))).toMatch(/^250 /);
  expect(await stateOf(world(), sent)).toEqual(once);
});

test('a complaint takes the place of a bounce, never the other way round', async () => {
  const bounce = (sent: Sent) => mail(mailbox().port, sent.returnPath, sampleOf('postfix', sent));
  const first = await newSent(world(), await world().newOrg());
  await bounce(first);
  expect((await stateOf(world(), first)).blacklist).toMatchObject([{ reason: 'bounced' }]);
  await complain(feedback(first));
  expect((await stateOf(world(), first)).blacklist).toMatchObject([{ reason: 'complained' }]);
  const second = await newSent(world(), await world().newOrg());
  await complain(feedback(second));
  await bounce(second);
  const { row, blacklist } = await stateOf(world(), second);
  expect(row.bounce_class).toBe('hard');
  expect(blacklist).toMatchObject([{ reason: 'complained' }]);
});

test('what is no complaint, or names no message of ours, is taken and changes nothing', async () => {
  const org = await world().newOrg();
  const sent = await newSent(world(), org);
  const forged = tokenOf(world(), org, sent.delivery, 'unsubscribe');
  const before = await stateOf(world(), sent);
  for (const message of [
    feedback(sent, { type: 'not-spam' }),
    feedback({ ...sent, returnPath: `b-${forged}@x.test`, messageId: `${forged}@x.test` }),
    feedback({ ...sent, returnPath: 'news@sender.test', messageId: 'x@sender.test' }),
    sampleOf('postfix', sent),
    `Subject: I complain\n\n${sent.messageId}`,
    `From: x\n\n`,
  ]) {
    expect(await complain(message)).toMatch(/^250 /);
  }
  expect(await stateOf(world(), sent)).toEqual(before);
});

test('a complaint about a message nobody knows where it went to holds for the address of today', async () => {
  const sent = await newSent(world(), await world().newOrg(), { state: 'uncertain' });
  await world().admin.query('update deliveries set address = null where id = $1', [sent.delivery]);
  await complain(feedback(sent));
  expect((await stateOf(world(), sent)).blacklist).toEqual([
    { person_id: sent.person, email: sent.to, reason: 'complained' },
  ]);
});

test('of a person who is gone only the ledger hears', async () => {
  const org = await world().newOrg();
  const sent = await newSent(world(), org);
  await org.rest(`DELETE /v1/people/${sent.person}`);
  await complain(feedback(sent));
  const { row, totals, blacklist, events } = await stateOf(world(), sent);
  expect(row.complained_at).toEqual(expect.any(Date));
  expect([totals.complained, blacklist, events]).toEqual([1, [], []]);
});

test('a person who was merged complains as who they are now', async () => {
  const org = await world().newOrg();
  const survivor = await org.person({ external_user_id: 'crm-1' });
  const sent = await newSent(world(), org);
  await org.person({ external_user_id: 'crm-1', email: sent.to });
  const { rows } = await world().admin.query('select person_id from deliveries where id = $1', [
    sent.delivery,
  ]);
  expect(rows[0].person_id).toBe(survivor);
  await complain(feedback(sent));
  expect((await stateOf(world(), sent)).blacklist).toEqual([
    { person_id: survivor, email: sent.to, reason: 'complained' },
  ]);
});
