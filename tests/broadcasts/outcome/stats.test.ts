import { expect, test } from 'vitest';
import { addDelivery, began, newSending, setDelivery } from '../../support/arrange-ledger.ts';
import { newDraft } from '../../support/broadcast.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();

async function statsOf(org: TestOrg, id: string) {
  const overRest = await org.rest(`GET /v1/broadcasts/${id}/stats`);
  expect(overRest.status).toBe(200);
  const overTool = await org.tool('get_broadcast_stats', { broadcast_id: id });
  expect(overTool.isError).toBe(false);
  const { as_of: _, ...stats } = overRest.body;
  expect({ ...overTool.body, as_of: null }).toEqual({ ...stats, as_of: null });
  return stats;
}

const nobody = {
  recipients: 0,
  sent: 0,
  skipped: 0,
  failed: 0,
  uncertain: 0,
  pending: 0,
  delivered: 0,
  opened: 0,
  clicked: 0,
  unsubscribed: 0,
  bounced: 0,
  complained: 0,
};

const setZone = async (org: TestOrg, timezone: string) => {
  expect((await org.rest('PATCH /v1/settings', { timezone })).status).toBe(200);
};

test('before it is sent all is zero, nothing is listed and it balances', async () => {
  const org = await world().newOrg();
  const { id } = await newDraft(org, { audience: 'everyone' });
  expect(await statsOf(org, id)).toEqual({
    broadcast_id: id,
    status: 'draft',
    totals: nobody,
    per_day: [],
    outcomes: { sent: 0, skipped: 0, failed: 0, uncertain: 0, pending: 0 },
    skipped: [],
    failed: [],
    uncertain: [],
    links: [],
    balanced: true,
  });
});

test('STA-010 stats gives totals of sent, opened and clicked, and of all that came of a message, each message once', async () => {
  const org = await world().newOrg();
  const id = await newSending(world(), org);
  const sent = { state: 'sent', sent_at: began };
  const later = '2026-03-02T10:00:00Z';
  const opened = await addDelivery(world(), org, id, null, {
    ...sent,
    opened_at: later,
    delivered_at: later,
  });
  await addDelivery(world(), org, id, null, { ...sent, opened_at: later, clicked_at: later });
  await addDelivery(world(), org, id, null, { ...sent, bounced_at: later, bounce_class: 'soft' });
  await addDelivery(world(), org, id, null, { ...sent, complained_at: later, unsubscribed_at: later });
  await addDelivery(world(), org, id, null, sent);
  // Later opens of the same message are nothing new.
  await setDelivery(world(), opened, { opened_at: '2026-03-03T10:00:00Z' });
  const { totals, balanced } = await statsOf(org, id);
  expect(totals).toEqual({
    ...nobody,
    recipients: 5,
    sent: 5,
    delivered: 1,
    opened: 2,
    clicked: 1,
    bounced: 1,
    complained: 1,
    unsubscribed: 1,
  });
  expect(balanced).toBe(true);
});

test('STA-012 stats tells where every recipient ended up; who is in hand is still to come', async () => {
  const org = await world().newOrg();
  const id = await newSending(world(), org);
  for (const [state, count] of [
    ['sent', 5],
    ['skipped', 4],
    ['failed', 3],
    ['uncertain', 2],
    ['sending', 1],
    ['pending', 2],
  ] as const) {
    for (let one = 0; one < count; one++) {
      await addDelivery(world(), org, id, null, { state, ...(state === 'skipped' && { reason: 'stopped' }) });
    }
  }
  const { outcomes, totals, balanced } = await statsOf(org, id);
  expect(outcomes).toEqual({ sent: 5, skipped: 4, failed: 3, uncertain: 2, pending: 3 });
  expect(totals).toMatchObject({ recipients: 17, ...outcomes });
  expect(balanced).toBe(true);
});

test('balanced is judged, not said: totals that do not add up are owned up to', async () => {
  const org = await world().newOrg();
  const id = await newSending(world(), org);
  await addDelivery(world(), org, id, null, { state: 'sent', sent_at: began });
  for (const column of ['recipients', 'sent', 'skipped', 'failed', 'uncertain', 'pending']) {
    await world().admin.query(`update broadcasts set ${column} = ${column} + 1 where id = $1`, [id]);
    expect((await statsOf(org, id)).balanced).toBe(false);
    await world().admin.query(`update broadcasts set ${column} = ${column} - 1 where id = $1`, [id]);
    expect((await statsOf(org, id)).balanced).toBe(true);
  }
});

const reasons = [
  'opted_out',
  'bounced',
  'complained',
  'blacklisted',
  'no_address',
  'invalid_address',
  'duplicate_address',
  'left_audience',
  'deleted',
  'allowance_used_up',
  'stopped',
];

test('STA-013 stats tells why each skipped recipient was skipped, the most frequent reason first', async () => {
  const org = await world().newOrg();
  const id = await newSending(world(), org);
  for (const [at, reason] of reasons.entries()) {
    for (let one = 0; one <= at; one++) {
      await addDelivery(world(), org, id, null, { state: 'skipped', reason });
    }
  }
  await addDelivery(world(), org, id, null, { state: 'failed', reason: 'bounced' });
  const { skipped, totals } = await statsOf(org, id);
  expect(skipped).toEqual(reasons.map((reason, at) => ({ reason, count: at + 1 })).toReversed());
  expect(totals).toMatchObject({ skipped: 66, failed: 1 });
});

test('stats tells why recipients failed or are uncertain, and no longer once they are sent to again', async () => {
  const org = await world().newOrg();
  const id = await newSending(world(), org);
  const other = await newSending(world(), org);
  const rows: number[] = [];
  for (const [state, reason] of [
    ['failed', 'refused'],
    ['failed', 'bounced'],
    ['failed', 'bounced'],
    ['uncertain', 'no_answer'],
    ['uncertain', 'interrupted'],
  ] as const)
    rows.push(await addDelivery(world(), org, id, null, { state, reason }));
  await addDelivery(world(), org, other, null, { state: 'failed', reason: 'gave_up' });
  const { skipped, failed, uncertain } = await statsOf(org, id);
  expect([skipped, failed, uncertain]).toEqual([
    [],
    [
      { reason: 'bounced', count: 2 },
      { reason: 'refused', count: 1 },
    ],
    [
      { reason: 'interrupted', count: 1 },
      { reason: 'no_answer', count: 1 },
    ],
  ]);
  await setDelivery(world(), rows[3]!, { state: 'pending', reason: null });
  expect((await statsOf(org, id)).uncertain).toEqual([{ reason: 'interrupted', count: 1 }]);
  await setDelivery(world(), rows[3]!, { state: 'failed', reason: 'refused' });
  expect(await statsOf(org, id)).toMatchObject({
    failed: [
      { reason: 'bounced', count: 2 },
      { reason: 'refused', count: 2 },
    ],
    uncertain: [{ reason: 'interrupted', count: 1 }],
    balanced: true,
  });
});

// In Kathmandu midnight is a quarter past another hour; in Paris the clocks go forward on the second of these days.
test.each([
  ['UTC', { '2026-03-28': 1, '2026-03-29': 5 }],
  ['Asia/Kolkata', { '2026-03-29': 5, '2026-03-30': 1 }],
  ['Asia/Kathmandu', { '2026-03-29': 4, '2026-03-30': 2 }],
  ['America/Los_Angeles', { '2026-03-28': 3, '2026-03-29': 3 }],
  ['Europe/Paris', { '2026-03-29': 5, '2026-03-30': 1 }],
] as const)(
  'STA-011 stats gives sent, opened and clicked per day, by the midnights of %s',
  async (zone, days) => {
    const org = await world().newOrg();
    await setZone(org, zone);
    const id = await newSending(world(), org);
    for (const at of [
      '2026-03-28T23:30:00Z',
      '2026-03-29T00:45:00Z',
      '2026-03-29T01:10:00Z',
      '2026-03-29T18:14:59.999Z',
      '2026-03-29T18:15:00Z',
      '2026-03-29T22:14:59.999Z',
    ]) {
      await addDelivery(world(), org, id, null, {
        state: 'sent',
        sent_at: at,
        opened_at: at,
        clicked_at: at,
      });
    }
    const { per_day } = await statsOf(org, id);
    expect(per_day).toEqual(
      Object.entries(days).map(([date, count]) => ({ date, sent: count, opened: count, clicked: count })),
    );
  },
);

test('STA-011 a message is opened on the day it was opened, not on the day it was sent; empty days are left out', async () => {
  const org = await world().newOrg();
  const id = await newSending(world(), org);
  await addDelivery(world(), org, id, null, {
    state: 'sent',
    sent_at: '2026-03-02T10:00:00Z',
    opened_at: '2026-03-05T10:00:00Z',
    clicked_at: '2026-03-06T10:00:00Z',
  });
  await addDelivery(world(), org, id, null, { state: 'sent', sent_at: '2026-03-05T10:00:00Z' });
  expect((await statsOf(org, id)).per_day).toEqual([
    { date: '2026-03-02', sent: 1, opened: 0, clicked: 0 },
    { date: '2026-03-05', sent: 1, opened: 1, clicked: 0 },
    { date: '2026-03-06', sent: 0, opened: 0, clicked: 1 },
  ]);
});

test('the figures of one broadcast are nothing to another', async () => {
  const org = await world().newOrg();
  const [one, other] = [await newSending(world(), org), await newSending(world(), org)];
  await addDelivery(world(), org, one, null, { state: 'sent', sent_at: began, opened_at: began });
  await addDelivery(world(), org, one, null, { state: 'skipped', reason: 'opted_out' });
  const { totals, per_day, skipped } = await statsOf(org, other);
  expect({ totals, per_day, skipped }).toEqual({ totals: nobody, per_day: [], skipped: [] });
});
