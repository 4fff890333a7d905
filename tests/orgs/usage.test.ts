import { expect, test } from 'vitest';
import { setAllowance } from '../../src/domain/orgs/allowance.ts';
import { orgTransaction } from '../../src/database/org-transaction.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const none = {
  per_month: null,
  used: 0,
  remaining: null,
  scheduled_broadcasts: 0,
  next_scheduled_at: null,
};

test('an organization that sent nothing and has no limit is told so', async () => {
  const org = await world().newOrg();
  world().clock.now = () => new Date('2026-12-31T23:59:00.000Z');
  const answer = await org.rest('GET /v1/usage');
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.body).toEqual({
    month: '2026-12',
    renews_at: '2027-01-01T00:00:00.000Z',
    email: none,
    sms: none,
  });
});

test('what is used counts for its channel and its month, and what is scheduled for the rest of that', async () => {
  world().clock.now = () => new Date('2026-11-10T12:00:00.000Z');
  const org = await world().newOrg();
  const other = await world().newOrg();
  await orgTransaction(world().database, org.id, 'write', (db) => setAllowance(db, org.id, 'email', 50));
  const { admin } = world();
  for (const [id, month, used] of [
    [org.id, '2026-11-01', 60],
    [org.id, '2026-10-01', 7],
    [other.id, '2026-11-01', 9],
  ])
    await admin.query("insert into allowance_uses values ($1, 'email', $2, $3)", [id, month, used]);
  for (const [at, channel] of [
    ['2026-11-20T08:00:00Z', 'email'],
    ['2026-11-12T08:00:00Z', 'email'],
    ['2026-12-01T00:00:00Z', 'email'],
    ['2026-11-30T23:59:00Z', 'sms'],
  ])
    await admin.query(
      `insert into broadcasts (org_id, id, status, channel, audience, send_at, created_by, created_at, updated_at)
       values ($1, gen_random_uuid(), 'scheduled', $3, 'everyone', $2, '{}', now(), now())`,
      [org.id, at, channel],
    );
  expect((await org.rest('GET /v1/usage')).body).toEqual({
    month: '2026-11',
    renews_at: '2026-12-01T00:00:00.000Z',
    email: {
      per_month: 50,
      used: 60,
      remaining: 0,
      scheduled_broadcasts: 2,
      next_scheduled_at: '2026-11-12T08:00:00.000Z',
    },
    sms: { ...none, scheduled_broadcasts: 1, next_scheduled_at: '2026-11-30T23:59:00.000Z' },
  });
  expect((await other.rest('GET /v1/usage')).body.email).toEqual({ ...none, used: 9 });
});
