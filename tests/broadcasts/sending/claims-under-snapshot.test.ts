import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { requireBroadcast } from '../../../src/domain/broadcasts/draft/broadcast-rows.ts';
import { claimNext } from '../../../src/domain/broadcasts/sending/claim-next.ts';
import { isInHand } from '../../../src/domain/broadcasts/sending/lane.ts';
import { readRun, type Run } from '../../../src/domain/broadcasts/sending/run.ts';
import { nextDueOf } from '../../../src/domain/delivery/ledger/ledger.ts';
import { settleWindow } from '../../../src/domain/delivery/ledger/settle.ts';
import type { BroadcastId } from '../../../src/kernel/ids.ts';
import { openCounted } from '../../queries/count-queries.ts';

import { newSender } from '../../support/sender-row.ts';
import { holdSnapshot } from '../../support/held-snapshot.ts';
import { inService } from '../../support/in-service.ts';
import { beginSending } from '../../support/lane.ts';
import { measured } from '../../support/measured.ts';
import { always } from '../../support/providers.ts';

import { newSendingOrg } from '../../support/reader-rows.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld, type World } from '../../support/world.ts';

const world = useWorld();
const windowSize = 64;
const many = 60_000;

/** A broadcast with many people in its ledger, of whom nobody was written to yet. */
async function newLarge(org: TestOrg) {
  const sender_id = await newSender(world(), org);
  const draft = { audience: 'everyone', subject: 'Hi', html: '<p>Hi</p>', sender_id };
  const { id, lane } = await beginSending(world(), org, draft);
  await world().admin.query('update broadcasts set prepared_at = now() where id = $1', [id]);
  await world().admin.query(
    `insert into deliveries (org_id, broadcast_id, person_id, state, due_at)
     select $1, $2, gen_random_uuid(), 'pending', now() from generate_series(1, $3::int)`,
    [org.id, id, many + 5 * windowSize],
  );
  const run = await inService(world(), org, async (work): Promise<Run> => {
    const read = await readRun(work, await requireBroadcast(work, id as BroadcastId), always());
    if ('problem' in read) throw new Error(read.problem);
    return read.run;
  });
  return { org, id, lane: lane(0), run: run! };
}
type Large = Awaited<ReturnType<typeof newLarge>>;

/** The next of them, as many windows leave them. */
async function sendMany(id: string): Promise<void> {
  const next = `id in (
    select id from delivery_queue where broadcast_id = $1 and lane in (-1, 0) order by due_at, id limit ${many})`;
  await world().admin.query(`update deliveries set state = 'sending', lane = 0 where ${next}`, [id]);
  await world().admin.query(
    `update deliveries set state = 'sent' where broadcast_id = $1 and state = 'sending'`,
    [id],
  );
}

/** Claims a window of it, here or where queries are counted; whoever waits for it settles what came. */
const claimWindowOf = ({ org, id, lane, run }: Large, where: World = world()) => {
  const claim = randomUUID();
  return inService(where, org, async (work) => {
    const { claimed } = await claimNext(work, run, { ref: lane, ticket: 1, claim, by: undefined });
    await isInHand(work, lane, 'own');
    await nextDueOf(work, id, 0);
    expect(claimed).toHaveLength(windowSize);
    return { claim, settled: claimed.map(({ id: delivery }) => ({ id: delivery, state: 'sent' as const })) };
  });
};

async function costOfClaim(large: Large, counted: ReturnType<typeof openCounted>): Promise<number> {
  const { buffers } = await counted.count(() =>
    claimWindowOf(large, { ...world(), database: counted.database }),
  );
  return Object.values(buffers).reduce((sum, count) => sum + count, 0);
}

test('a lane claims by the keys of a window while the statistics do not know its broadcast', async () => {
  const counted = openCounted(world().config.DATABASE_URL);
  try {
    const cost = await costOfClaim(await newLarge(await newSendingOrg(world())), counted);
    expect(cost).toBeLessThan(windowSize * 30);
  } finally {
    await counted.close();
  }
});

test(
  'a lane claims, looks for what it has in hand and for who is next at the same cost, however long somebody holds a snapshot',
  measured,
  async () => {
    const large = await newLarge(await newSendingOrg(world()));
    const counted = openCounted(world().config.DATABASE_URL);
    const release = await holdSnapshot(world());
    const sendWindow = async (): Promise<void> => {
      const taken = await claimWindowOf(large);
      await inService(world(), large.org, (work) => settleWindow(work, taken!.claim, taken!.settled));
    };
    try {
      await sendWindow();
      const first = await costOfClaim(large, counted);
      await sendMany(large.id);
      await sendWindow();
      expect(await costOfClaim(large, counted)).toBeLessThan(first * 1.5);
    } finally {
      await release();
      await counted.close();
    }
  },
);
