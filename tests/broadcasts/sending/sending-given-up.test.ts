import { expect, test } from 'vitest';
import { laneStep } from '../../../src/domain/broadcasts/sending/lane-step.ts';
import type { HandOver } from '../../../src/domain/delivery/outgoing/outgoing.ts';

import { newSender } from '../../support/sender-row.ts';
import { beginSending, Patient, runParts } from '../../support/lane.ts';
import { expectBalanced, outcomesOf } from '../../support/ledger.ts';
import { readBroadcast } from '../../support/sending.ts';
import { newReaders, newSendingOrg } from '../../support/reader-rows.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();

/** A broadcast to one reader, whose time has come. */
async function newToOne() {
  const org = await newSendingOrg(world());
  await newReaders(org, 1);
  const sender_id = await newSender(world(), org);
  const draft = { audience: 'everyone', subject: 'Hi', html: '<p>Hi</p>', sender_id };
  const { id, lane } = await beginSending(world(), org, draft);
  return { org, id, lane };
}

const answers: { readonly answer: HandOver; readonly becomes: string }[] = [
  { answer: { outcome: 'sent', reply: '250 taken' }, becomes: 'sent' },
  { answer: { outcome: 'refused', code: '5.1.1', reply: '550 unknown' }, becomes: 'failed bounced' },
  { answer: { outcome: 'uncertain', reply: 'gone' }, becomes: 'uncertain no_answer' },
  // The broadcast is over: nobody would come back for a row that waits.
  { answer: { outcome: 'deferred', code: '4.3.0', reply: '451 later' }, becomes: 'uncertain interrupted' },
  { answer: { outcome: 'unreached', reply: 'nobody there' }, becomes: 'uncertain interrupted' },
];

test.each(answers)(
  'a message given up while its broadcast ended, and answered late with $answer.outcome, is $becomes',
  async ({ answer, becomes }) => {
    const { org, id, lane } = await newToOne();
    const [slow, other] = [new Patient(), new Patient()];
    const told: string[] = [];
    const parts = (email: Patient) => ({
      ...runParts(world(), { email }),
      onOutcomes: (channel: string, states: readonly string[]) =>
        told.push(...states.map((state) => `${channel} ${state}`)),
    });
    const late = laneStep(parts(slow), lane(0), 1);
    await slow.has(1);
    // The engine lost sight of that step and has it done again: what the first has in hand is given up.
    await laneStep(parts(other), lane(0), 1);
    expect(await outcomesOf(world(), id)).toEqual({ 'uncertain interrupted': 1 });
    expect(told).toEqual(['email uncertain']);
    expect((await readBroadcast(org, id)).status).toBe('sent');
    slow.answerAll(answer);
    await late;
    expect(await outcomesOf(world(), id)).toEqual({ [becomes]: 1 });
    const state = `email ${becomes.split(' ')[0]}`;
    expect(told).toEqual(['email uncertain', ...(becomes === 'uncertain interrupted' ? [] : [state])]);
    await expectBalanced(world(), id);
  },
);

test('a lane gives up nothing that another has in hand', async () => {
  const { org, id, lane } = await newToOne();
  const [slow, other] = [new Patient(), new Patient()];
  const first = laneStep(runParts(world(), { email: slow }), lane(0), 1);
  await slow.has(1);
  await laneStep(runParts(world(), { email: other }), lane(1), 1);
  expect(await outcomesOf(world(), id)).toEqual({ sending: 1 });
  expect((await readBroadcast(org, id)).status).toBe('sending');
  slow.answerAll();
  await first;
  expect(await outcomesOf(world(), id)).toEqual({ sent: 1 });
});

test.each([
  { answer: { outcome: 'sent', reply: '250 taken' }, used: 1 },
  // It may have arrived.
  { answer: { outcome: 'uncertain', reply: 'gone' }, used: 1 },
  { answer: { outcome: 'refused', code: '5.1.1', reply: '550 unknown' }, used: 0 },
  { answer: { outcome: 'deferred', code: '4.3.0', reply: '451 later' }, used: 0 },
  { answer: { outcome: 'unreached', reply: 'nobody there' }, used: 0 },
] satisfies { answer: HandOver; used: number }[])(
  'a message answered with $answer.outcome uses $used of the allowance',
  async ({ answer, used }) => {
    const { org, lane } = await newToOne();
    const provider = new Patient();
    const step = laneStep(runParts(world(), { email: provider }), lane(0), 1);
    await provider.has(1);
    provider.answerAll(answer);
    await step;
    const { rows } = await world().admin.query('select used::int from allowance_uses where org_id = $1', [
      org.id,
    ]);
    expect(rows).toEqual([{ used }]);
  },
);
