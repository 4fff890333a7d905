import { expect, test } from 'vitest';
import { laneStep } from '../../../src/domain/broadcasts/sending/lane-step.ts';
import type { RunParts } from '../../../src/domain/broadcasts/sending/run.ts';
import type { Provider } from '../../../src/domain/delivery/outgoing/outgoing.ts';

import { newSender } from '../../support/sender-row.ts';
import { beginSending, runParts } from '../../support/lane.ts';

import { newReaders, newSendingOrg } from '../../support/reader-rows.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();

/** How many of the recipients each window of one step had, when every message takes so long. */
async function windowsOf(recipients: number, messageMs: number): Promise<number[]> {
  const org = await newSendingOrg(world());
  await newReaders(org, recipients);
  const sender_id = await newSender(world(), org);
  const draft = { audience: 'everyone', subject: 'Hi', html: '<p>Hi</p>', sender_id };
  const { lane } = await beginSending(world(), org, draft);
  let now = Date.now();
  const email: Provider<unknown> = {
    name: 'timed',
    send: () => {
      now += messageMs;
      return Promise.resolve({ outcome: 'sent', reply: '250 taken' });
    },
    close: () => Promise.resolve(),
  };
  const windows: number[] = [];
  const parts: RunParts = {
    ...runParts(world(), { email }),
    clock: { now: () => new Date(now) },
    onOutcomes: (_, states) => void (states.length > 0 && windows.push(states.length)),
  };
  const first = await laneStep({ ...parts, stopping: AbortSignal.abort() }, lane(0), 1); // reads the audience, no more
  await laneStep(parts, lane(0), first!.ticket);
  return windows;
}

test('what goes quickly goes in larger windows up to 256, and the first is never large', async () => {
  expect(await windowsOf(640, 1)).toEqual([64, 256, 256, 64]);
});

test('a window has no more than goes in half a second: so many may still go out after a stop', async () => {
  expect(await windowsOf(320, 4)).toEqual([64, 125, 125, 6]);
});

test('what goes slowly stays in windows of 64', async () => {
  expect(await windowsOf(320, 10)).toEqual([64, 64, 64, 64, 64]);
});
