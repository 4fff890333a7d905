import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { laneStep } from '../../../src/domain/broadcasts/sending/lane-step.ts';
import type { RunParts } from '../../../src/domain/broadcasts/sending/run.ts';
import type { Provider } from '../../../src/domain/delivery/outgoing/outgoing.ts';

import { newSender } from '../../support/sender-row.ts';
import { beginSending, runParts } from '../../support/lane.ts';

import { newReaders, newSendingOrg } from '../../support/reader-rows.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();

interface Sending {
  readonly recipients: number;
  readonly messageMs: number;
  /** What the provider waits for before it answers. */
  readonly answering?: (nth: number) => Promise<unknown>;
}

/** How many of the recipients each window of one step had, and how many were sent. */
async function sendInStep({ recipients, messageMs, answering }: Sending) {
  const org = await newSendingOrg(world());
  await newReaders(org, recipients);
  const sender_id = await newSender(world(), org);
  const draft = { audience: 'everyone', subject: 'Hi', html: '<p>Hi</p>', sender_id };
  const { lane } = await beginSending(world(), org, draft);
  let now = Date.now();
  let count = 0;
  const email: Provider<unknown> = {
    name: 'timed',
    send: async () => {
      now += messageMs;
      await answering?.(++count);
      return { outcome: 'sent', reply: '250 taken' };
    },
    close: () => Promise.resolve(),
  };
  const windows: number[] = [];
  let sent = 0;
  const parts: RunParts = {
    ...runParts(world(), { email }),
    clock: { now: () => new Date(now) },
    onOutcomes: (_, states) => {
      if (states.length > 0) windows.push(states.length);
      sent += states.filter((state) => state === 'sent').length;
    },
  };
  const first = await laneStep({ ...parts, stopping: AbortSignal.abort() }, lane(0), 1); // reads the audience, no more
  await laneStep(parts, lane(0), first!.ticket);
  return { windows, sent };
}

const windowsOf = async (recipients: number, messageMs: number): Promise<number[]> =>
  (await sendInStep({ recipients, messageMs })).windows;

test('what goes quickly goes in larger windows up to 512, and the first is never large', async () => {
  expect(await windowsOf(1_152, 0.5)).toEqual([64, 512, 512, 64]);
});

/** How many messages of one window were on their way at a time, where each answer takes so long. */
async function mostUnderWay(answer: () => Promise<unknown>) {
  let underWay = 0;
  let most = 0;
  const answering = async () => {
    most = Math.max(most, ++underWay);
    await answer();
    underWay--;
  };
  const { sent } = await sendInStep({ recipients: 576, messageMs: 0.5, answering });
  return { most, sent };
}

test('of a large window 192 messages are made or on their way at a time', async () => {
  expect(await mostUnderWay(() => pause(300))).toEqual({ most: 192, sent: 576 });
});

test('answers are heard while a window is made: its messages are not made in one turn', async () => {
  const { most, sent } = await mostUnderWay(() => new Promise(setImmediate));
  expect(sent).toBe(576);
  expect(most).toBeLessThan(96);
});

test('a server that is suddenly slow keeps a window for ten seconds, and whoever had no turn has one later', async () => {
  const answering = async (nth: number) => void (nth > 64 && (await pause(10_100)));
  const { windows, sent } = await sendInStep({ recipients: 576, messageMs: 0.5, answering });
  expect({ windows, sent }).toEqual({ windows: [64, 512], sent: 64 + 192 });
});

test('a window has no more than goes in half a second: so many may still go out after a stop', async () => {
  expect(await windowsOf(320, 4)).toEqual([64, 125, 125, 6]);
});

test('what goes slowly stays in windows of 64', async () => {
  expect(await windowsOf(320, 10)).toEqual([64, 64, 64, 64, 64]);
});
