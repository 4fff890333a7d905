import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { expectBalanced, outcomesOf } from '../../support/ledger.ts';
import { measured } from '../../support/measured.ts';
import { dropMonth, makeMonth, partAt, partsOf } from '../../support/months.ts';
import {
  advanceClock,
  clockOf,
  ended,
  moveClock,
  readBroadcast,
  receiversOf,
  useSending,
  scheduleEmail,
} from '../../support/sending.ts';
import { newReaders, newSendingOrg } from '../../support/reader-rows.ts';
import { isLong } from '../../support/volume.ts';

const sending = useSending();
const readers = isLong ? 500 : 200;
const longestMs = 5_000;

const tables = ['deliveries', 'events', 'audit_log', 'tracking_hits'];
const old = '2025-01-15T00:00:00Z';

/** What is left of a year ago: a message in each table. */
async function leaveBehind(org: string, person: string): Promise<void> {
  const { admin } = sending().world;
  for (const table of tables) await makeMonth(sending().world, table, old);
  await admin.query(
    `insert into deliveries (org_id, id, broadcast_id, person_id, state, due_at, sent_at)
     values ($1, first_number_of_month($3) + 1, gen_random_uuid(), $2, 'sent', $3, $3)`,
    [org, person, old],
  );
  await admin.query(
    `insert into events (org_id, id, person_id, name, occurred_at, created_at) values ($1, new_id($3), $2, 'old', $3, $3)`,
    [org, person, old],
  );
}

test(
  'months are made and dropped while a broadcast is sent, nobody waits long and nobody is lost',
  measured,
  async () => {
    const { world, mail } = sending();
    const org = await newSendingOrg(world);
    const people = await newReaders(org, readers);
    await leaveBehind(org.id, [...people.values()][0]!);
    // Everything of this broadcast is in a month that was made ahead.
    const now = new Date(await clockOf(org));
    const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 2);
    await moveClock(org, next);
    const { id, subject } = await scheduleEmail(world, org);
    await advanceClock(org, 90 * 60);
    await expect.poll(() => readBroadcast(org, id).then(({ status }) => status)).toBe('sending');
    await advanceClock(org, 4 * 3_600); // everybody's turn has come
    await expect
      .poll(() => receiversOf(mail, subject).length, { timeout: 60_000, interval: 20 })
      .toBeGreaterThan(0);

    let longest = 0;
    const timed = async (act: () => Promise<unknown>) => {
      const started = performance.now();
      await act();
      longest = Math.max(longest, performance.now() - started);
    };
    const atFirst = receiversOf(mail, subject).length;
    for (const table of tables) {
      await timed(() => makeMonth(world, table, '2025-02-15T00:00:00Z'));
      await timed(() => dropMonth(world, table, old));
      await pause(50);
    }
    expect(atFirst).toBeLessThan(readers); // it was still being sent when that began
    const { status } = await ended(org, id, 120_000);
    expect(status).toBe('sent');
    expect(longest).toBeLessThan(longestMs);
    expect(receiversOf(mail, subject).toSorted()).toEqual([...people.keys()].toSorted());
    expect(await outcomesOf(world, id)).toEqual({ sent: readers });
    await expectBalanced(world, id);
    const part = partAt('deliveries', new Date(next));
    expect(await partsOf(world, 'deliveries', org.id)).toEqual({ [part]: readers });
    expect(await partsOf(world, 'events', org.id)).not.toHaveProperty('events_2025_01');
  },
);
