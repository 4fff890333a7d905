import { expect, test } from 'vitest';
import { releaseSending } from '../../../src/database/held-sending.ts';
import { relayTransaction } from '../../../src/database/org-transaction.ts';
import { laneStep } from '../../../src/domain/broadcasts/sending/lane-step.ts';
import type { RunParts } from '../../../src/domain/broadcasts/sending/run.ts';

import { newSender } from '../../support/sender-row.ts';
import { beginSending, runParts } from '../../support/lane.ts';
import { expectBalanced, outcomesOf } from '../../support/ledger.ts';

import { newReaders, newSendingOrg } from '../../support/reader-rows.ts';
import { dumpSending } from '../../support/went-back.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();

async function newBroadcast(count: number) {
  const org = await newSendingOrg(world());
  await newReaders(org, count);
  const sender_id = await newSender(world(), org);
  const draft = { audience: 'everyone', subject: 'Hi', html: '<p>Hi</p>', sender_id };
  const { id, lane } = await beginSending(world(), org, draft);
  const handed: string[] = [];
  const email = {
    name: 'a list',
    close: async () => undefined,
    send: async ({ to }: { to: string }) => {
      handed.push(to);
      return { outcome: 'sent', reply: '250 ok' } as const;
    },
  };
  const parts = runParts(world(), { email: email as never });
  await laneStep({ ...parts, stopping: AbortSignal.abort() }, lane(0), 1); // reads the audience, no more
  await world().admin.query(`delete from delivery_lanes where lane = 1`);
  return { org, id, ref: lane(0), parts, handed };
}

const used = async (): Promise<number> =>
  Number(
    (await world().admin.query('select coalesce(sum(used), 0) as used from allowance_uses')).rows[0].used,
  );

const isHeld = async (): Promise<boolean> =>
  (await world().admin.query('select held_at from installation')).rows[0].held_at !== null;

const release = () => relayTransaction(world().database, (db) => releaseSending(db, new Date()));

const unanswering: RunParts['fence'] = {
  note: () => Promise.resolve(undefined),
  read: () => Promise.resolve(undefined),
};

test('while the fence does not answer nothing is handed over, and what was claimed is pending again', async () => {
  const { id, ref, parts, handed } = await newBroadcast(5);
  const before = await used();
  const next = await laneStep({ ...parts, fence: unanswering }, ref, 2);
  expect(next).toEqual({ ticket: 3, waitMs: 10_000 });
  expect(handed).toEqual([]);
  expect(await outcomesOf(world(), id)).toEqual({ pending: 5 });
  expect(await used()).toBe(before);
  const tried = await world().admin.query(
    'select sum(attempts)::int as tries from deliveries where broadcast_id = $1',
    [id],
  );
  expect(tried.rows[0].tries).toBe(0);
  expect(await laneStep(parts, ref, 3)).toBeUndefined();
  expect(await outcomesOf(world(), id)).toEqual({ sent: 5 });
});

test('a database that went back is found out even if it claimed more since than it had forgotten', async () => {
  const { org, id, ref, parts, handed } = await newBroadcast(70);
  const goBack = await dumpSending(world(), org);
  await laneStep(parts, ref, 2); // two windows
  expect(handed).toHaveLength(70);
  await goBack();
  // The engine is away, too: each step claims a window that is not noted.
  for (let ticket = 2; ticket < 14; ticket++) await laneStep({ ...parts, fence: unanswering }, ref, ticket);
  expect(await isHeld()).toBe(false);
  await laneStep(parts, ref, 14);
  expect(await isHeld()).toBe(true);
  await laneStep(parts, ref, 15); // nothing happens while it is held
  expect(await outcomesOf(world(), id)).toEqual({ pending: 70 });
  await release();
  const told: string[] = [];
  const onOutcomes = (_: string, states: readonly string[]) => told.push(...states);
  expect(await laneStep({ ...parts, onOutcomes }, ref, 16)).toBeUndefined();
  expect(told.filter((state) => state === 'uncertain')).toHaveLength(70);
  expect(handed).toHaveLength(70);
  expect(await outcomesOf(world(), id)).toEqual({ 'uncertain record_lost': 70 });
  expect(await used()).toBeGreaterThanOrEqual(70);
  await expectBalanced(world(), id);
  expect(await isHeld()).toBe(false);
});

test('messages forgotten after a release hold sending again', async () => {
  const { org, id, ref, parts, handed } = await newBroadcast(3);
  await release();
  const goBack = await dumpSending(world(), org);
  await laneStep(parts, ref, 2);
  await goBack();
  await laneStep(parts, ref, 2);
  expect(await isHeld()).toBe(true);
  await release();
  await laneStep(parts, ref, 3);
  expect(handed).toHaveLength(3);
  expect(await outcomesOf(world(), id)).toEqual({ 'uncertain record_lost': 3 });
});
