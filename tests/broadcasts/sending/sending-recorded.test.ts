import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { claimLane, laneStep } from '../../../src/domain/broadcasts/sending/lane-step.ts';
import { leaseMs } from '../../../src/domain/broadcasts/sending/lane.ts';

import { newSender } from '../../support/sender-row.ts';
import { beginSending, runParts } from '../../support/lane.ts';
import { expectBalanced, outcomesOf } from '../../support/ledger.ts';

import { newReaders, newSendingOrg } from '../../support/reader-rows.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();
const faster = 20; // a lease passes in three seconds
const leaseHereMs = leaseMs / faster;

/** A clock that runs faster than the world's. */
function fastClock() {
  const began = Date.now();
  return { now: () => new Date(began + (Date.now() - began) * faster) };
}

/** The database takes claims, but no outcome of a hand-over. */
const refuseOutcomes = () =>
  world().admin.query(`
    create function refuse_outcome() returns trigger language plpgsql as $$
    begin raise exception 'the disk is full' using errcode = '53100'; end $$;
    create trigger refuse_outcome before update on deliveries for each row
      when (old.state = 'sending' and new.state = 'sent') execute function refuse_outcome()`);
const takeOutcomes = () => world().admin.query('drop function refuse_outcome cascade');

async function newBroadcast() {
  const org = await newSendingOrg(world());
  await newReaders(org, 5);
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
  const parts = { ...runParts(world(), { email: email as never }), clock: fastClock() };
  await laneStep({ ...parts, stopping: AbortSignal.abort() }, lane(0), 1); // reads the audience, no more
  await world().admin.query(`delete from delivery_lanes where lane = 1`);
  return { id, ref: lane(0), parts, handed };
}

test('what was handed over is recorded if the database takes it late, but within the lease', async () => {
  const { id, ref, parts, handed } = await newBroadcast();
  await refuseOutcomes();
  const stepping = laneStep(parts, ref, 2);
  await pause(leaseHereMs * 0.75);
  expect(await outcomesOf(world(), id)).toEqual({ sending: 5 });
  await takeOutcomes();
  await stepping;
  expect(handed).toHaveLength(5);
  expect(await outcomesOf(world(), id)).toEqual({ sent: 5 });
  await expectBalanced(world(), id);
});

test('after the lease a step gives up recording, and whoever takes the lane over makes it uncertain', async () => {
  const { id, ref, parts, handed } = await newBroadcast();
  await refuseOutcomes();
  const began = performance.now();
  await expect(laneStep(parts, ref, 2)).rejects.toThrow('the disk is full');
  const tookMs = performance.now() - began;
  expect(tookMs).toBeGreaterThan(leaseHereMs * 0.9);
  expect(tookMs).toBeLessThan(leaseHereMs + 3_000);
  await takeOutcomes();
  const ticket = (await claimLane(parts, ref))?.ticket;
  await laneStep(parts, ref, ticket!);
  expect(handed).toHaveLength(5);
  expect(await outcomesOf(world(), id)).toEqual({ 'uncertain interrupted': 5 });
  await expectBalanced(world(), id);
});
