import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '@restatedev/restate-sdk';
import { expect, test } from 'vitest';
import type { Received } from '../../../src/database/engine-messages.ts';
import { laneStep } from '../../../src/domain/broadcasts/sending/lane-step.ts';
import { broadcastRun } from '../../../src/durable/broadcast-run.ts';
import { slots } from '../../../src/kernel/slots.ts';

import { newSender } from '../../support/sender-row.ts';
import { beginSending, runParts } from '../../support/lane.ts';
import { expectBalanced, outcomesOf } from '../../support/ledger.ts';
import { newReaders, newSendingOrg } from '../../support/reader-rows.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();

test('a step that the engine repeats while its first try goes on gives nothing up that this hands over', async () => {
  const org = await newSendingOrg(world());
  await newReaders(org, 5);
  const sender_id = await newSender(world(), org);
  const draft = { audience: 'everyone', subject: 'Hi', html: '<p>Hi</p>', sender_id };
  const { id, lane } = await beginSending(world(), org, draft);
  const sent: string[] = [];
  const send = ({ to }: { to: string }) => {
    sent.push(to);
    return Promise.resolve({ outcome: 'sent' as const, reply: '250 taken' });
  };
  const parts = runParts(world(), { email: { name: 'taker', send, close: () => Promise.resolve() } });
  const { ticket } = (await laneStep({ ...parts, stopping: AbortSignal.abort() }, lane(0), 1))!; // reads the audience
  // The first try has claimed its window, and the fence, which died with the engine, will not answer it.
  const [noting, silent] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()];
  const note = (): Promise<undefined> => {
    noting.resolve();
    return silent.promise;
  };
  const run = broadcastRun({ ...parts, fence: { ...parts.fence, note } }, slots(4), () => undefined);
  // The engine itself takes no part: it calls the handler, and again when it has lost sight of the first call.
  const context = { run: (_name: string, act: () => Promise<unknown>) => act() } as unknown as Context;
  const call = () => run.handle(context, { ...lane(0), ticket } as Received<'BroadcastRun'>, () => undefined);
  const first = call();
  await noting.promise;
  const repeated = call();
  await Promise.race([repeated, pause(500)]); // one that does not wait is through by then
  silent.resolve(undefined);
  await Promise.all([first, repeated]);
  expect(await outcomesOf(world(), id)).toEqual({ pending: 5 });
  let next: { ticket: number } | undefined = { ticket: ticket + 1 };
  while (next !== undefined) next = await laneStep(parts, lane(0), next.ticket);
  expect(await outcomesOf(world(), id)).toEqual({ sent: 5 });
  expect(sent).toHaveLength(5);
  await expectBalanced(world(), id);
});
