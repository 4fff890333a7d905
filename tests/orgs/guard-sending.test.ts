import { expect, test } from 'vitest';
import { guardSending } from '../../src/durable/guard-sending.ts';
import { newSending } from '../support/arrange-ledger.ts';
import { auditOf } from '../support/audit.ts';
import { resume } from '../support/org-state.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const bounds = { bounces: 10, complaints: 0.3, fromMessages: 500 };
const guard = (now = new Date()) => guardSending(world().database, now, bounds);

interface Handed {
  readonly sent: number;
  /** Refused for good when they were handed over. */
  readonly refused?: number;
  /** Of those that were sent. */
  readonly bounced?: number;
  readonly soft?: number;
  readonly complained?: number;
}

/** A broadcast handed over so long ago, by the ledger, which counts it. */
async function hand(
  org: TestOrg,
  { sent, refused = 0, bounced = 0, soft = 0, complained = 0 }: Handed,
  at = new Date(),
) {
  const id = await newSending(world(), org);
  await world().admin.query(
    `insert into deliveries (org_id, broadcast_id, person_id, state, due_at)
     select $1, $2, gen_random_uuid(), 'pending', now() from generate_series(1, $3::int)`,
    [org.id, id, sent + refused],
  );
  const among = `id in (select id from deliveries where broadcast_id = $1`;
  const { admin } = world();
  await admin.query(
    `update deliveries set state = 'failed', bounced_at = $3, bounce_class = 'hard'
     where ${among} and state = 'pending' order by id limit $2)`,
    [id, refused, at],
  );
  await admin.query(
    `update deliveries set state = 'sent', sent_at = $2 where ${among} and state = 'pending')`,
    [id, at],
  );
  for (const [count, set] of [
    [bounced, `bounced_at = $3, bounce_class = 'hard'`],
    [soft, `bounced_at = $3, bounce_class = 'soft'`],
    [complained, 'complained_at = $3'],
  ] as const) {
    await admin.query(
      `update deliveries set ${set} where ${among} and state = 'sent' and bounced_at is null order by id limit $2)`,
      [id, count, at],
    );
  }
}

const stateOf = async (org: TestOrg) =>
  (await world().admin.query('select state, state_reason from organizations where id = $1', [org.id]))
    .rows[0];

test.each([
  [
    'bounces above a tenth',
    { sent: 470, refused: 30, bounced: 21 },
    'Of 500 messages handed over within 24 hours 51 bounced, more than 10 %.',
  ],
  [
    'complaints above three in a thousand',
    { sent: 1_000, complained: 4 },
    'Of 1000 messages handed over within 24 hours 4 were complained about, more than 0.3 %.',
  ],
])('%s suspend an organization by themselves, once, audited', async (_name, handed, reason) => {
  const org = await world().newOrg();
  await hand(org, handed);
  expect(await guard()).toMatchObject([{ org_id: org.id }]);
  expect(await guard()).toEqual([]);
  expect(await stateOf(org)).toEqual({ state: 'suspended', state_reason: reason });
  expect(await auditOf(world(), org, 'suspend_organization')).toEqual([
    { ids: { org_id: org.id }, reason, actor_id: 'sending_guard' },
  ]);
});

test('what is within the bounds, too few to judge, soft or of another day suspends nobody', async () => {
  for (const [handed, ago] of [
    [{ sent: 470, refused: 30, bounced: 20 }, 0],
    [{ sent: 1_000, complained: 3 }, 0],
    [{ sent: 400, refused: 99 }, 0],
    [{ sent: 600, soft: 200 }, 0],
    [{ sent: 600, bounced: 200 }, 25],
  ] as const) {
    const org = await world().newOrg();
    await hand(org, handed, new Date(Date.now() - ago * 3_600_000));
    if (ago > 0) await hand(org, { sent: 500, bounced: 1 });
    await guard();
    expect([handed, (await stateOf(org)).state]).toEqual([handed, 'active']);
  }
});

test('one that was resumed is judged by what it handed over since', async () => {
  const org = await world().newOrg();
  const began = Date.now();
  await hand(org, { sent: 500, bounced: 100 });
  expect(await guard()).toHaveLength(1);
  await resume(world(), org, new Date(began + 1_000));
  expect(await guard(new Date(began + 60_000))).toEqual([]);
  const later = new Date(began + 3_600_000);
  await hand(org, { sent: 500, bounced: 100 }, later);
  expect(await guard(later)).toMatchObject([{ org_id: org.id, handed: 500, bounced: 100 }]);
});
