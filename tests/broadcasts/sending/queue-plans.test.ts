import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { claimWindow } from '../../../src/domain/delivery/ledger/ledger.ts';
import { settleWindow } from '../../../src/domain/delivery/ledger/settle.ts';
import { openCounted, type Counted } from '../../queries/count-queries.ts';
import { inService } from '../../support/in-service.ts';
import { beginSending } from '../../support/lane.ts';
import { newSendingOrg } from '../../support/reader-rows.ts';
import { newSender } from '../../support/sender-row.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();
const windowSize = 64;
const many = 20_000;

/** A broadcast whose messages are all due, in the ledger and its queue. */
async function newDue(org: TestOrg, sender_id: string, count: number): Promise<string> {
  const draft = { audience: 'everyone', subject: 'Hi', html: '<p>Hi</p>', sender_id };
  const { id } = await beginSending(world(), org, draft);
  await world().admin.query('update broadcasts set prepared_at = now() where id = $1', [id]);
  await world().admin.query(
    `insert into deliveries (org_id, broadcast_id, person_id, state, due_at)
     select $1, $2, gen_random_uuid(), 'pending', now() from generate_series(1, $3::int)`,
    [org.id, id, count],
  );
  return id;
}

test('the rows of a long queue are moved by their keys, also by who takes it for a short one', async () => {
  const org = await newSendingOrg(world());
  const sender_id = await newSender(world(), org);
  const [old, young] = [openCounted(world().config.DATABASE_URL), openCounted(world().config.DATABASE_URL)];
  /** Claims and settles a window, which is taken back. Answers how long it took. */
  const sendWindow = async (by: Counted, broadcast: string): Promise<number> => {
    const began = performance.now();
    await by.count(() =>
      inService({ ...world(), database: by.database }, org, async (work) => {
        const claim = randomUUID();
        const claimed = await claimWindow(work, { broadcast, lane: 0, claim, size: windowSize });
        expect(claimed.length).toBeGreaterThan(0);
        await settleWindow(
          work,
          claim,
          claimed.map(({ id }) => ({ id, state: 'sent' })),
        );
      }),
    );
    return performance.now() - began;
  };
  try {
    await world().admin.query('vacuum analyze');
    const short = await newDue(org, sender_id, 5);
    for (let time = 0; time < 10; time++) await sendWindow(old, short); // after some a plan is kept
    const long = await newDue(org, sender_id, many);
    const ofYoung = await sendWindow(young, long); // makes its plans with a long queue before it
    const best = async (by: Counted): Promise<number> => {
      const times = [];
      for (let time = 0; time < 3; time++) times.push(await sendWindow(by, long));
      return Math.min(...times);
    };
    expect(await best(old)).toBeLessThan(5 * ofYoung); // it was 20 times as long
    // As a vacuum leaves it that finds the queue empty and cannot shorten its file.
    await world().admin.query(
      "update pg_class set relpages = 50, reltuples = 0 where relname = 'delivery_queue'",
    );
    expect(await best(young)).toBeLessThan(5 * ofYoung);
  } finally {
    await Promise.all([old.close(), young.close()]);
  }
});
