import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { claimNext } from '../../../src/domain/broadcasts/sending/claim-next.ts';
import { laneStep } from '../../../src/domain/broadcasts/sending/lane-step.ts';
import { readRun } from '../../../src/domain/broadcasts/sending/run.ts';
import { requireBroadcast } from '../../../src/domain/broadcasts/draft/broadcast-rows.ts';
import type { BroadcastId } from '../../../src/kernel/ids.ts';

import { newSender } from '../../support/sender-row.ts';
import { inService } from '../../support/in-service.ts';
import { beginSending, Patient, runParts } from '../../support/lane.ts';
import { expectBalanced, outcomesOf } from '../../support/ledger.ts';
import { always } from '../../support/providers.ts';
import { readBroadcast } from '../../support/sending.ts';
import { newReaders, newSendingOrg } from '../../support/reader-rows.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();
const windowSize = 64;

test('a step that is done twice at once, one of which dies with messages in hand, leaves nobody waiting for ever', async () => {
  const org = await newSendingOrg(world());
  await newReaders(org, windowSize + 1);
  const sender_id = await newSender(world(), org);
  const draft = { audience: 'everyone', subject: 'Hi', html: '<p>Hi</p>', sender_id };
  const { id, lane } = await beginSending(world(), org, draft);
  const [one, other] = [new Patient(), new Patient()];
  const parts = runParts(world(), { email: one });
  let first = await laneStep({ ...parts, stopping: AbortSignal.abort() }, lane(0), 1); // reads the audience, no more
  // The engine lost sight of one, and calls another: what the first has in hand is given up, the second takes the rest.
  const living = laneStep(parts, lane(1), 1);
  await one.has(windowSize);
  const dying = laneStep(runParts(world(), { email: other }), lane(1), 1);
  await other.has(1);
  one.answerAll();
  let second = await living; // finds nobody left to write to; the other is not heard of
  for (let turn = 0; turn < 3; turn++) {
    if (second !== undefined) second = await laneStep(parts, lane(1), second.ticket);
    if (first !== undefined) first = await laneStep(parts, lane(0), first.ticket);
  }
  expect((await readBroadcast(org, id)).status).toBe('sent');
  expect(await outcomesOf(world(), id)).toEqual({ sent: windowSize, 'uncertain interrupted': 1 });
  other.answerAll(); // it was alive after all, and says what became of its own
  expect(await dying).toBeUndefined();
  expect(await outcomesOf(world(), id)).toEqual({ sent: windowSize + 1 });
  await expectBalanced(world(), id);
});

test('two windows that one lane has in hand are both given up by its next step', async () => {
  const org = await newSendingOrg(world());
  await newReaders(org, 2 * windowSize);
  const sender_id = await newSender(world(), org);
  const draft = { audience: 'everyone', subject: 'Hi', html: '<p>Hi</p>', sender_id };
  const { id, lane } = await beginSending(world(), org, draft);
  const parts = runParts(world(), { email: new Patient() });
  const next = await laneStep({ ...parts, stopping: AbortSignal.abort() }, lane(0), 1); // reads the audience, no more
  const ticket = next!.ticket;
  for (const claim of [randomUUID(), randomUUID()]) {
    await inService(world(), org, async (work) => {
      const read = await readRun(work, await requireBroadcast(work, id as BroadcastId), always());
      if ('problem' in read) throw new Error(read.problem);
      const { claimed } = await claimNext(work, read.run, { ref: lane(0), ticket, claim, by: undefined });
      expect(claimed).toHaveLength(windowSize);
    });
  }
  await laneStep(parts, lane(0), ticket);
  expect(await outcomesOf(world(), id)).toEqual({ 'uncertain interrupted': 2 * windowSize });
});
