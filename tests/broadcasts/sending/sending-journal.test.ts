import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { claimNext } from '../../../src/domain/broadcasts/sending/claim-next.ts';
import { laneStep } from '../../../src/domain/broadcasts/sending/lane-step.ts';
import { readRun } from '../../../src/domain/broadcasts/sending/run.ts';
import { requireBroadcast } from '../../../src/domain/broadcasts/draft/broadcast-rows.ts';
import { openJournal } from '../../../src/durable/journal.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import type { BroadcastId } from '../../../src/kernel/ids.ts';

import { newSender } from '../../support/sender-row.ts';
import { inService } from '../../support/in-service.ts';
import { beginSending, runParts } from '../../support/lane.ts';
import { expectBalanced, outcomesOf } from '../../support/ledger.ts';
import { always } from '../../support/providers.ts';
import { clockOf, moveClock, readBroadcast } from '../../support/sending.ts';
import { newReaders, newSendingOrg } from '../../support/reader-rows.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();
const folder = mkdtempSync(join(tmpdir(), 'rostrum-journal-'));
const onTrouble = (error: Error): void => {
  throw error;
};
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});
const newJournal = () => openJournal({ folder, clock: systemClock, onTrouble });

/** Takes every message, and tells who got one. */
function taker() {
  const taken: string[] = [];
  const email = {
    name: 'taker',
    send: async ({ to, onLeaving }: { to: string; onLeaving?: (() => void) | undefined }) => {
      onLeaving?.();
      taken.push(to);
      return { outcome: 'sent' as const, reply: '250 taken' };
    },
    close: async () => {},
  };
  return { taken, email };
}

/** A window of four that one process claimed and handed over in part. */
async function newInterrupted(process: string) {
  const org = await newSendingOrg(world());
  await newReaders(org, 4);
  const sender_id = await newSender(world(), org);
  const draft = { audience: 'everyone', subject: 'Hi', html: '<p>Hi</p>', sender_id };
  const { id, lane } = await beginSending(world(), org, draft);
  const idle = { ...runParts(world(), {}), providers: always({ email: taker().email }) };
  const { ticket } = (await laneStep({ ...idle, stopping: AbortSignal.abort() }, lane(0), 1))!; // reads the audience
  const claim = randomUUID();
  const claimed = await inService(world(), org, async (work) => {
    const read = await readRun(work, await requireBroadcast(work, id as BroadcastId), always());
    if ('problem' in read) throw new Error(read.problem);
    return (await claimNext(work, read.run, { ref: lane(0), ticket, claim, by: process })).claimed;
  });
  const addressOf = async (delivery: number): Promise<string> => {
    const { rows } = await world().admin.query<{ value: string }>(
      `select i.value from deliveries d join identifiers i on i.org_id = d.org_id and i.person_id = d.person_id
       where d.org_id = $1 and d.id = $2 and i.type = 'email'`,
      [org.id, delivery],
    );
    return rows[0]!.value;
  };
  return { org, id, lane, ticket, claim, deliveries: claimed!.map((one) => one.id), addressOf };
}

test('of what a dead process had in hand, only what was on its way is uncertain; the rest is sent, nobody twice', async () => {
  const [dead, living] = [await newJournal(), await newJournal()];
  closing.push(() => living.close());
  const { org, id, lane, ticket, claim, deliveries, addressOf } = await newInterrupted(dead.process);
  const [unsent, underWay, wasTaken, refused] = deliveries as [number, number, number, number];
  for (const one of [underWay, wasTaken, refused]) dead.note(claim, one, 'handed_over');
  dead.note(claim, wasTaken, 'taken');
  dead.note(claim, refused, 'not_taken');
  await dead.close();
  // What goes back goes back to the month of which it was taken, and is taken of the next.
  const charged = new Date(await clockOf(org));
  await moveClock(org, Date.UTC(charged.getUTCFullYear(), charged.getUTCMonth() + 1, 1, 1));
  const { taken, email } = taker();
  const parts = { ...runParts(world(), { email }), journal: living };
  let next = await laneStep(parts, lane(0), ticket);
  while (next !== undefined) next = await laneStep(parts, lane(0), next.ticket);
  expect(await outcomesOf(world(), id)).toEqual({ sent: 3, 'uncertain interrupted': 1 });
  expect(taken.toSorted()).toEqual([await addressOf(unsent), await addressOf(refused)].toSorted());
  expect((await readBroadcast(org, id)).status).toBe('sent');
  await expectBalanced(world(), id);
  const { rows } = await world().admin.query(
    'select state, address from deliveries where org_id = $1 and id = $2',
    [org.id, wasTaken],
  );
  expect(rows).toEqual([{ state: 'sent', address: await addressOf(wasTaken) }]);
  const used = await world().admin.query(
    'select used::int from allowance_uses where org_id = $1 order by month',
    [org.id],
  );
  expect(used.rows).toEqual([{ used: 2 }, { used: 2 }]);
});

test('a process knows what it had in hand itself, once it is done with it', async () => {
  const living = await newJournal();
  closing.push(() => living.close());
  const { org, id, lane, ticket, claim, deliveries } = await newInterrupted(living.process);
  const [, underWay, wasTaken] = deliveries as [number, number, number, number];
  for (const one of [underWay, wasTaken]) living.note(claim, one, 'handed_over');
  living.note(claim, wasTaken, 'taken');
  const { taken, email } = taker();
  const parts = { ...runParts(world(), { email }), journal: living };
  let next = await laneStep(parts, lane(0), ticket);
  while (next !== undefined) next = await laneStep(parts, lane(0), next.ticket);
  expect(await outcomesOf(world(), id)).toEqual({ sent: 3, 'uncertain interrupted': 1 });
  expect(taken).toHaveLength(2);
  expect((await readBroadcast(org, id)).status).toBe('sent');
  await expectBalanced(world(), id);
});

test('while it is not done, what it has in hand is uncertain, whatever it noted', async () => {
  const living = await newJournal();
  closing.push(() => living.close());
  const { id, lane, ticket, claim } = await newInterrupted(living.process);
  living.open(claim);
  const { taken, email } = taker();
  const parts = { ...runParts(world(), { email }), journal: living };
  let next = await laneStep(parts, lane(0), ticket);
  while (next !== undefined) next = await laneStep(parts, lane(0), next.ticket);
  expect(await outcomesOf(world(), id)).toEqual({ 'uncertain interrupted': 4 });
  expect(taken).toEqual([]);
});

test('what a process has in hand that still lives is uncertain, whatever it noted', async () => {
  const [other, living] = [await newJournal(), await newJournal()];
  closing.push(
    () => other.close(),
    () => living.close(),
  );
  const { id, lane, ticket } = await newInterrupted(other.process);
  const { taken, email } = taker();
  await laneStep({ ...runParts(world(), { email }), journal: living }, lane(0), ticket);
  expect(await outcomesOf(world(), id)).toEqual({ 'uncertain interrupted': 4 });
  expect(taken).toEqual([]);
});

test('a message that cannot be noted is not handed over, and waits', async () => {
  const living = await newJournal();
  closing.push(() => living.close());
  const org = await newSendingOrg(world());
  await newReaders(org, 1);
  const sender_id = await newSender(world(), org);
  const draft = { audience: 'everyone', subject: 'Hi', html: '<p>Hi</p>', sender_id };
  const { id, lane } = await beginSending(world(), org, draft);
  const { taken, email } = taker();
  const full = { ...living, note: () => false };
  await laneStep({ ...runParts(world(), { email }), journal: full }, lane(0), 1);
  expect(taken).toEqual([]);
  expect(await outcomesOf(world(), id)).toEqual({ pending: 1 });
});
