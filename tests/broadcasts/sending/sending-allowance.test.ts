import { afterEach, expect, test } from 'vitest';
import { orgTransaction } from '../../../src/database/org-transaction.ts';
import { setAllowance } from '../../../src/domain/orgs/allowance.ts';
import { newWebinar } from '../../support/broadcast.ts';
import { expectBalanced, ledgerOf, outcomesOf, quietMoment } from '../../support/ledger.ts';
import { ended, moveClock, receiversOf, settled, useSending, scheduleEmail } from '../../support/sending.ts';
import { newReaders, newSendingOrg, registerAll } from '../../support/reader-rows.ts';
import type { TestOrg } from '../../support/test-org.ts';

const sending = useSending();
const minute = 60_000;
afterEach(() => {
  sending().mail.refuse = () => undefined;
  sending().mail.hold = () => undefined;
});

const allow = (org: TestOrg, perMonth: number) =>
  orgTransaction(sending().world.database, org.id, 'write', (db) =>
    setAllowance(db, org.id, 'email', perMonth),
  );

const usesOf = async (org: TestOrg): Promise<number> => {
  const { rows } = await sending().world.admin.query(
    'select coalesce(sum(used), 0)::int as used from allowance_uses where org_id = $1',
    [org.id],
  );
  return rows[0].used;
};

async function newWebinarBroadcast(count: number) {
  const { world } = sending();
  const org = await newSendingOrg(world);
  const readers = await newReaders(org, count);
  const webinar_id = await newWebinar(world, org);
  await registerAll(world, org, webinar_id, readers.values());
  const scheduled = await scheduleEmail(world, org, { audience: 'webinar', webinar_id });
  return { org, readers, ...scheduled };
}

test('an allowance that ends in the middle leaves out whoever is beyond it, and is used up to the last message', async () => {
  const { world, mail } = sending();
  const { org, id, subject, sendAt } = await newWebinarBroadcast(180);
  await allow(org, 100);
  await moveClock(org, sendAt);
  expect(await ended(org, id)).toMatchObject({
    status: 'sent',
    counts: { recipients: 180, sent: 100, skipped: 80, failed: 0 },
  });
  expect(await outcomesOf(world, id)).toEqual({ sent: 100, 'skipped allowance_used_up': 80 });
  expect(new Set(receiversOf(mail, subject)).size).toBe(100);
  expect(receiversOf(mail, subject)).toHaveLength(100);
  expect(await usesOf(org)).toBe(100);
  await expectBalanced(world, id);
});

test('what was not sent is not taken from the allowance: left out, refused, put off', async () => {
  const { world, mail } = sending();
  const { org, readers, id, sendAt } = await newWebinarBroadcast(20);
  await allow(org, 1_000);
  const [optedOut, refused, deferred] = [...readers];
  await org.rest(`PATCH /v1/people/${optedOut![1]}/opt-outs`, { email_opt_out: true });
  mail.refuse = (to) => {
    if (to === refused![0]) return { code: 550, text: '5.1.1 nobody' };
    return to === deferred![0] ? { code: 451, text: '4.3.0 later' } : undefined;
  };
  await moveClock(org, sendAt);
  await expect
    .poll(() => outcomesOf(world, id), { timeout: 60_000 })
    .toEqual({
      sent: 17,
      'skipped opted_out': 1,
      'failed bounced': 1,
      pending: 1,
    });
  await expect.poll(() => usesOf(org)).toBe(17);
  mail.refuse = () => undefined;
  const { due_at } = (await ledgerOf(world, id)).find(({ state }) => state === 'pending')!;
  await moveClock(org, due_at.getTime());
  expect((await ended(org, id)).counts).toMatchObject({ sent: 18, failed: 1, skipped: 1 });
  expect(await usesOf(org)).toBe(18);
});

test('an allowance that was used up before its time leaves everybody out, and says so', async () => {
  const { world, mail } = sending();
  const { org, id, subject, sendAt } = await newWebinarBroadcast(5);
  await allow(org, 0);
  await moveClock(org, sendAt);
  expect(await ended(org, id)).toMatchObject({
    status: 'sent',
    counts: { recipients: 5, sent: 0, skipped: 5 },
  });
  expect(await outcomesOf(world, id)).toEqual({ 'skipped allowance_used_up': 5 });
  expect([receiversOf(mail, subject), await usesOf(org)]).toEqual([[], 0]);
});

test('what comes back after the end of a month goes back to the month that it was taken from', async () => {
  const { world, mail } = sending();
  const { org, readers, id, sendAt } = await newWebinarBroadcast(3);
  const [refused, held] = [...readers.keys()];
  mail.refuse = (to) => (to === refused ? { code: 550, text: '5.1.1 nobody' } : undefined);
  const { promise, resolve: goOn } = Promise.withResolvers<void>();
  mail.hold = (to) => (to === held ? promise : undefined);
  await moveClock(org, sendAt);
  await expect.poll(() => mail.tries.some(({ to }) => to === held)).toBe(true);
  const due = new Date(sendAt);
  await moveClock(org, Date.UTC(due.getUTCFullYear(), due.getUTCMonth() + 1, 1, 1));
  goOn();
  await expect.poll(() => outcomesOf(world, id)).toEqual({ sent: 2, 'failed bounced': 1 });
  const used = 'select used::int from allowance_uses where org_id = $1 order by month';
  expect((await world.admin.query(used, [org.id])).rows).toEqual([{ used: 2 }]);
});

test('two broadcasts at once share one allowance exactly', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const readers = await newReaders(org, 120);
  const webinar_id = await newWebinar(world, org);
  await registerAll(world, org, webinar_id, readers.values());
  const both = [
    await scheduleEmail(world, org, { audience: 'webinar', webinar_id }),
    await scheduleEmail(world, org, { audience: 'webinar', webinar_id }),
  ];
  await allow(org, 150);
  await moveClock(org, Math.max(...both.map(({ sendAt }) => sendAt)));
  let sent = 0;
  for (const { id, subject } of both) {
    const { counts } = await ended(org, id);
    expect(counts.sent + counts.skipped).toBe(120);
    expect(receiversOf(mail, subject)).toHaveLength(counts.sent);
    sent += counts.sent;
  }
  expect([sent, await usesOf(org)]).toEqual([150, 150]);
});

test('who is left out for another reason takes nothing from the allowance of those behind them', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  await newReaders(org, 10);
  const { id, subject, sendAt } = await scheduleEmail(world, org);
  await moveClock(org, sendAt);
  await settled(world, org);
  await moveClock(org, quietMoment(await ledgerOf(world, id), sendAt + 3 * minute));
  await settled(world, org);
  const inTurn = (await ledgerOf(world, id))
    .filter(({ state }) => state === 'pending')
    .toSorted((a, b) => a.due_at.getTime() - b.due_at.getTime());
  await allow(org, (await usesOf(org)) + 5); // the first five of them have all that is left
  for (const { person_id } of inTurn.slice(0, 5))
    await org.rest(`PATCH /v1/people/${person_id}/opt-outs`, { email_opt_out: true });
  await moveClock(org, sendAt + 180 * minute); // all at once
  await ended(org, id);
  expect(await outcomesOf(world, id)).toEqual({ 'skipped opted_out': 5, sent: 5 });
  expect([receiversOf(mail, subject).length, await usesOf(org)]).toEqual([5, 5]);
});
