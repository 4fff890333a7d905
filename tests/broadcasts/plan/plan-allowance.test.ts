import { expect, test } from 'vitest';
import { orgTransaction } from '../../../src/database/org-transaction.ts';
import { setAllowance, type Channel } from '../../../src/domain/orgs/allowance.ts';
import { atNoon, codesOf, inHours, plan, register, readyDraft } from '../../support/broadcast.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { blocksUntil, checkOf, readyText, warnsUntil, whileItIs } from './plan-support.ts';

const world = useWorld();

const allow = (org: TestOrg, perMonth: number | null, channel: Channel = 'email') =>
  orgTransaction(world().database, org.id, 'write', (db) => setAllowance(db, org.id, channel, perMonth));

async function use(org: TestOrg, used: number, month: string, channel: Channel = 'email'): Promise<void> {
  await world().admin.query(
    `insert into allowance_uses (org_id, channel, month, used) values ($1, $2, $3, $4)
     on conflict (org_id, channel, month) do update set used = excluded.used`,
    [org.id, channel, month, used],
  );
}

/** A draft to everyone, and so many people. */
async function draftFor(org: TestOrg, people: number): Promise<string> {
  const { id } = await readyDraft(world(), org);
  for (let n = 1; n < people; n++) await org.person({ email: `p${n}@example.com` });
  return id;
}

const now = '2027-04-15T10:00:00.000Z';
const tomorrow = inHours(24, new Date(now));
const at = [tomorrow, tomorrow] as const;

test('PLN-030 allowance_used_up blocks when nothing of the month is left, until there is more', async () => {
  const org = await world().newOrg();
  const id = await draftFor(org, 2);
  await whileItIs(world(), now, async () => {
    await allow(org, 10);
    await use(org, 10, '2027-04-01');
    const check = await blocksUntil(org, id, 'allowance_used_up', () => allow(org, 12), at);
    expect(check.message).toContain('10');
    expect((await plan(org, id, tomorrow)).allowance).toEqual({ per_month: 12, used: 10, remaining: 2 });
    await use(org, 15, '2027-04-01');
    expect((await plan(org, id, tomorrow)).allowance).toEqual({ per_month: 12, used: 15, remaining: 0 });
    await blocksUntil(org, id, 'allowance_used_up', () => use(org, 10, '2027-04-01'), at);
    await allow(org, 0);
    await use(org, 0, '2027-04-01');
    await blocksUntil(org, id, 'allowance_used_up', () => allow(org, null), at);
    expect((await plan(org, id, tomorrow)).allowance).toBeNull();
  });
});

test('PLN-035 allowance_short warns when fewer are left than there are recipients, and not when it is exactly as many', async () => {
  const org = await world().newOrg();
  const id = await draftFor(org, 4);
  await whileItIs(world(), now, async () => {
    await allow(org, 10);
    for (const [used, short] of [
      [7, 1],
      [9, 3],
    ] as const) {
      await use(org, used, '2027-04-01');
      const exactly = () => use(org, 6, '2027-04-01');
      const check = await warnsUntil(org, id, 'allowance_short', exactly, at);
      expect(check).toMatchObject({ count: short, message: expect.stringContaining(`${10 - used}`) });
    }
    await use(org, 7, '2027-04-01');
    await warnsUntil(org, id, 'allowance_short', () => allow(org, 11), at);
    await allow(org, 10);
    await warnsUntil(org, id, 'allowance_short', () => allow(org, null), at);
  });
});

test('PLN-030 PLN-035 with nothing left it is used up and not short as well', async () => {
  const org = await world().newOrg();
  const id = await draftFor(org, 2);
  await allow(org, 0);
  expect(codesOf(await plan(org, id))).toEqual(['allowance_used_up', 'everyone']);
});

test('PLN-035 it is the recipients that count, reachable or not', async () => {
  const org = await world().newOrg();
  const id = await draftFor(org, 3);
  const { people } = (await org.rest('GET /v1/people')).body;
  await org.rest(`PATCH /v1/people/${people[0].id}/opt-outs`, { email_opt_out: true });
  await allow(org, 2);
  const planned = await plan(org, id);
  expect(planned.audience).toMatchObject({ recipients: 3, reachable: 2 });
  expect(checkOf(planned, 'allowance_short').count).toBe(1);
});

test('PLN-030 PLN-035 every channel has its own allowance, and every organization', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  const email = await draftFor(org, 2);
  const text = await readyText(world(), org);
  const another = await org.person({ phone: '+4915112345678' });
  await register(world(), org, text.webinar, another);
  await allow(org, 0, 'email');
  await allow(other, 0, 'sms');
  expect(await plan(org, text.id, atNoon())).toMatchObject({ ready: true, allowance: null, checks: [] });
  await allow(org, 0, 'sms');
  await allow(org, null, 'email');
  await blocksUntil(org, text.id, 'allowance_used_up', () => allow(org, 1, 'sms'));
  await warnsUntil(org, text.id, 'allowance_short', () => allow(org, 2, 'sms'));
  expect(codesOf(await plan(org, email))).toEqual(['everyone']);
});

test('PLN-030 the allowance is that of the calendar month in UTC', async () => {
  const org = await world().newOrg();
  const id = await draftFor(org, 1);
  await org.rest('PATCH /v1/settings', { timezone: 'Asia/Tokyo' });
  await allow(org, 5);
  await use(org, 5, '2027-04-01');
  await use(org, 2, '2027-06-01');
  for (const [moment, used] of [
    ['2027-03-31T23:59:59.999Z', 0],
    ['2027-04-01T00:00:00.000Z', 5],
    ['2027-04-30T23:59:59.999Z', 5],
    ['2027-05-01T00:00:00.000Z', 0],
    ['2027-06-15T00:00:00.000Z', 2],
    ['2028-04-15T00:00:00.000Z', 0],
  ] as const) {
    await whileItIs(world(), inHours(-2, new Date(moment)), async () => {
      const planned = await plan(org, id, moment);
      expect(planned).toMatchObject({
        ready: used < 5,
        allowance: { per_month: 5, used, remaining: 5 - used },
      });
    });
  }
});

test('PLN-030 what counts is the month it would go out in', async () => {
  const org = await world().newOrg();
  const id = await draftFor(org, 1);
  await whileItIs(world(), now, async () => {
    await allow(org, 10);
    await use(org, 10, '2027-04-01');
    await use(org, 3, '2027-05-01');
    expect(codesOf(await plan(org, id, '2027-04-30T23:59:59Z'), 'error')).toEqual(['allowance_used_up']);
    const next = await plan(org, id, '2027-05-01T00:00:00Z');
    expect(next.allowance).toEqual({ per_month: 10, used: 3, remaining: 7 });
    const { plan_token } = next;
    expect((await org.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token })).status).toBe(200);
  });
});
