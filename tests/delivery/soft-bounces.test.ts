import { expect, test } from 'vitest';
import { noteBounce } from '../../src/domain/delivery/inbound/note-bounce.ts';
import { asService } from '../../src/domain/orgs/as-service.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { plan } from '../support/broadcast.ts';
import type { TestOrg } from '../support/test-org.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { mail, newSent, stateOf, useMailbox, type Sent } from './back-in.ts';
import { sampleOf, type samples } from './dsn-samples.ts';

const world = useWorld();
const mailbox = useMailbox(world);

const day = 24 * 3_600;

async function pass(org: TestOrg, seconds: number): Promise<void> {
  if (seconds === 0) return;
  const { status } = await org.rest('POST /v1/test-clock', { advance: seconds });
  expect(status).toBe(200);
}

/** Writes to the same person again and again, and each time it bounces. Answers the last of it. */
async function bounces(
  org: TestOrg,
  days: readonly number[],
  sample: keyof typeof samples = 'postfixFull',
): Promise<Sent> {
  let sent = await newSent(world(), org);
  for (const [index, wait] of days.entries()) {
    if (index > 0) sent = await newSent(world(), org, { to: sent.to, person: sent.person });
    await pass(org, wait * day);
    await mail(mailbox().port, sent.returnPath, sampleOf(sample, sent));
  }
  return sent;
}

const blacklistOf = async (sent: Sent) => (await stateOf(world(), sent)).blacklist;

test('four sends that bounced softly over a fortnight end it, and the plan says so', async () => {
  const org = await world().newOrg();
  const sent = await bounces(org, [0, 5, 5]);
  expect(await blacklistOf(sent)).toEqual([]);
  const last = await newSent(world(), org, { to: sent.to, person: sent.person });
  await pass(org, 4 * day);
  await mail(mailbox().port, last.returnPath, sampleOf('postfixExpired', last));
  expect(await blacklistOf(last)).toEqual([{ person_id: sent.person, email: sent.to, reason: 'bounced' }]);
  expect((await plan(org, last.broadcast)).audience.excluded).toEqual([{ reason: 'bounced', count: 1 }]);
});

test.each([
  ['four within less than a fortnight', [0, 5, 5, 3.99]],
  ['three over a year', [0, 180, 180]],
  ['a dozen on one day', Array.from({ length: isLong ? 12 : 5 }, () => 0)],
])('%s do not', async (_, days) => {
  expect(await blacklistOf(await bounces(await world().newOrg(), days))).toEqual([]);
});

test('one message that bounces again and again is one send', async () => {
  const org = await world().newOrg();
  const sent = await newSent(world(), org);
  for (let time = 0; time < 6; time++) {
    await mail(mailbox().port, sent.returnPath, sampleOf('postfixFull', sent));
    await pass(org, 5 * day);
  }
  const { row, blacklist } = await stateOf(world(), sent);
  expect([row.history.length, blacklist]).toEqual([1, []]);
});

test('refusals for our sake never add up', async () => {
  const sent = await bounces(await world().newOrg(), [0, 5, 5, 5, 5, 5], 'postfixPolicy');
  expect(await blacklistOf(sent)).toEqual([]);
});

test.each(['opened_at', 'clicked_at', 'replied_at', 'delivered_at'])(
  'a mailbox that showed life (%s) begins anew',
  async (column) => {
    const org = await world().newOrg();
    const three = await bounces(org, [0, 5, 5]);
    const read = await newSent(world(), org, { to: three.to, person: three.person });
    await pass(org, day);
    const { rows } = await world().admin.query(
      `update deliveries set ${column} = (select max(bounced_at) + interval '1 hour' from deliveries where org_id = $2)
       where id = $1 returning ${column} as at`,
      [read.delivery, org.id],
    );
    expect(rows[0].at).toEqual(expect.any(Date));
    await pass(org, 10 * day);
    const fourth = await newSent(world(), org, { to: three.to, person: three.person });
    await mail(mailbox().port, fourth.returnPath, sampleOf('postfixFull', fourth));
    expect(await blacklistOf(fourth)).toEqual([]);
  },
);

test('bounces at another address of the same person do not count', async () => {
  const org = await world().newOrg();
  const three = await bounces(org, [0, 7, 7]);
  const other = await newSent(world(), org, { to: 'other@receiver.test', person: three.person });
  await mail(mailbox().port, other.returnPath, sampleOf('postfixFull', other));
  expect(await blacklistOf(other)).toEqual([]);
});

test('refusals at the door count as bounces do', async () => {
  const { config, database, clock } = world();
  const parts = { keys: keyring(config), mail: mailSettings(config) };
  const org = await world().newOrg();
  const first = await newSent(world(), org, { state: 'failed' });
  const refuse = ({ delivery }: Sent) =>
    asService(database, parts, { org: org.id, now: clock.now(), actor: 'test', requestId: 'test' }, (work) =>
      noteBounce(work, { delivery, bounceClass: 'soft', code: '4.2.2', reply: '452 full', duringSend: true }),
    );
  expect([await refuse(first), await refuse(first)]).toEqual([true, false]);
  const { row, events } = await stateOf(world(), first);
  expect(row).toMatchObject({
    state: 'failed',
    bounce_class: 'soft',
    history: [{ what: 'refused', code: '4.2.2' }],
  });
  expect(events).toMatchObject([
    { name: '$svc_email_bounced', custom_properties: { class: 'soft', code: '4.2.2' } },
  ]);
  for (const days of [5, 5, 4]) {
    await pass(org, days * day);
    await refuse(await newSent(world(), org, { to: first.to, person: first.person, state: 'failed' }));
  }
  expect(await blacklistOf(first)).toMatchObject([{ reason: 'bounced' }]);
});
