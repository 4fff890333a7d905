import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { feedback, forwarded } from './arf-samples.ts';
import { mail, newSent, stateOf, useMailbox, type Sent } from './back-in.ts';
import { sampleOf, type samples } from './dsn-samples.ts';

const world = useWorld();
const mailbox = useMailbox(world);
const day = 86_400_000;

const bounce = (sent: Sent, sample: keyof typeof samples = 'postfix', from = ''): Promise<string> =>
  mail(mailbox().port, sent.returnPath, sampleOf(sample, sent), from);

/** Whether it is taken, as whatever tells nothing is, and nothing is changed by it. */
async function isIgnored(sent: Sent, send: () => Promise<string>): Promise<boolean> {
  const before = await stateOf(world(), sent);
  const answer = await send();
  return answer.startsWith('250 ') && isDeepStrictEqual(await stateOf(world(), sent), before);
}

test('who has a Message-ID from an archive has no address to bounce to', async () => {
  const sent = await newSent(world(), await world().newOrg());
  const [token] = sent.messageId.split('@');
  const taken = await mail(mailbox().port, `b-${token}@bounce.sender.test`, sampleOf('postfix', sent));
  expect(taken).toMatch(/^550 /);
});

test('a report that does not come from the null sender is not believed', async () => {
  const sent = await newSent(world(), await world().newOrg());
  expect(await isIgnored(sent, () => bounce(sent, 'postfix', 'mallory@elsewhere.test'))).toBe(true);
  await bounce(sent);
  expect((await stateOf(world(), sent)).row.bounce_class).toBe('hard');
});

test.each([
  'postfix',
  'exim',
  'exchange',
  'gmail',
  'sendmail',
  'qmail',
  'oldExim',
  'postfixDelivered',
] as const)('a report as %s writes it is not believed about whom it does not name', async (sample) => {
  const sent = await newSent(world(), await world().newOrg());
  const aboutAnother = sampleOf(sample, { ...sent, to: 'somebody@receiver.test' });
  expect(await isIgnored(sent, () => mail(mailbox().port, sent.returnPath, aboutAnother))).toBe(true);
});

test('a report that is older than any mail server tries is not believed', async () => {
  const at = (days: number) => new Date(world().clock.now().getTime() - days * day);
  const late = await newSent(world(), await world().newOrg(), { at: at(15) });
  expect(await isIgnored(late, () => bounce(late))).toBe(true);
  const inTime = await newSent(world(), await world().newOrg(), { at: at(13) });
  await bounce(inTime);
  expect((await stateOf(world(), inTime)).row.bounce_class).toBe('hard');
});

test.each(['fbl', 'abuse', 'fbl-00000000000000000000000000000000'])(
  'complaints come to an address that was not told to everybody: %s@ is none',
  async (box) => {
    const sent = await newSent(world(), await world().newOrg());
    for (const report of [feedback(sent), forwarded(sent)]) {
      const answer = await mail(mailbox().port, `${box}@bounce.rostrum.test`, report, 'fbl@mailbox.test');
      expect(answer).toMatch(/^550 /);
    }
    expect((await stateOf(world(), sent)).blacklist).toEqual([]);
  },
);

const slowed = async (org: TestOrg) =>
  (await world().admin.query('select domain, reason from receiving_domains where org_id = $1', [org.id]))
    .rows;

test('one report of a refusal slows no domain, however often it is made; several do', async () => {
  const org = await world().newOrg();
  const first = await newSent(world(), org);
  const again = await newSent(world(), org, { to: first.to, person: first.person });
  const third = await newSent(world(), org, { to: first.to, person: first.person });
  for (const sent of [first, first, again, third]) await bounce(sent, 'postfixPolicy');
  const elsewhere = await newSent(world(), org, { to: 'ada@another.test' });
  await bounce(elsewhere, 'postfixPolicy');
  await bounce(await newSent(world(), org), 'postfixPolicy');
  expect(await slowed(org)).toEqual([]);
  await bounce(await newSent(world(), org), 'postfixPolicy');
  expect(await slowed(org)).toEqual([{ domain: 'receiver.test', reason: 'refused by policy 5.7.515' }]);
});
