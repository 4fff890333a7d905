// The judge of races must itself be able to say no.
import { expect, test } from 'vitest';
import { judge, type Remains, type Round } from './races-judge.ts';
import { apply, explains, type Ask, type Call, type State } from './races-model.ts';

const draft: State = { status: 'draft', revision: 1, plans: { 0: 1 } };
const schedule: Ask = { kind: 'schedule', plan: 0 };
const ring: Ask = { kind: 'start', revision: 2, when: 'due' };
const atOnce = (ask: Ask, answer: string): Call => ({ ask, answer, from: 0, to: 9 });

/** Scheduled twice with one token, taken back and rung at once: one schedule wins, and the alarm comes first. */
const round: Round = {
  start: draft,
  calls: [
    atOnce(schedule, 'ok'),
    atOnce(schedule, 'broadcast_scheduled'),
    atOnce({ kind: 'unschedule' }, 'sending_begun'),
    atOnce(ring, 'began'),
    atOnce(ring, 'moved_on'),
  ],
  delivered: { 2: 1 },
};
const remains: Remains = {
  status: 'sending',
  revision: 3,
  audited: { create_broadcast: 1, schedule_broadcast: 1, begin_sending: 1 },
  alarms: [2],
  deliveries: [2],
};

test('nothing is wrong with a round that some order explains', () => {
  expect(judge(round, remains)).toEqual([]);
});

const answered = (index: number, answer: string): Round => ({
  ...round,
  calls: round.calls.map((call, at) => (at === index ? { ...call, answer } : call)),
});

test.each<[string, Round, Partial<Remains>, string]>([
  ['a server error', answered(2, '500'), {}, 'unschedule was answered 500'],
  [
    'a refusal that means nothing here',
    answered(1, 'not_scheduled'),
    {},
    'schedule was answered not_scheduled',
  ],
  ['a token that schedules twice', answered(1, 'ok'), {}, 'a token scheduled twice'],
  ['sending after a successful unschedule', answered(2, 'ok'), {}, 'schedulings ended in no way, or in two'],
  ['two starts', answered(4, 'began'), {}, 'it began 2 times'],
  ['a start that is not seen', round, { status: 'scheduled' }, 'it began 1 times and is scheduled'],
  ['a delivery called twice', { ...round, delivered: { 2: 2 } }, {}, 'delivered for 2 × 2'],
  ['a delivery without a start', answered(3, 'moved_on'), {}, 'began for , delivered for 2 × 1'],
  ['a delivery that left two rows', round, { deliveries: [2, 2] }, '2,2 is left of it'],
  ['a delivery rolled back', round, { deliveries: [] }, 'and  is left of it'],
  ['a state that is none', round, { status: 'planned' }, 'it is planned'],
  ['a revision too many', round, { revision: 4 }, 'revision 4 after 2 changes'],
  ['no alarm', round, { alarms: [] }, ' for 1 schedulings'],
  ['two alarms', round, { alarms: [2, 2] }, '2,2 for 1 schedulings'],
  [
    'no audit row',
    round,
    { audited: { create_broadcast: 1, schedule_broadcast: 1 } },
    'begin_sending happened 1 times',
  ],
  ['a lost broadcast', round, { status: 'gone' }, 'it was deleted 0 times and is gone'],
])('the judge finds %s', (_, seen, left, words) => {
  expect(judge(seen, { ...remains, ...left }).join('; ')).toContain(words);
});

test('an order must keep to what came before what', () => {
  const [unschedule, start]: Ask[] = [{ kind: 'unschedule' }, ring];
  const scheduled: State = { status: 'scheduled', revision: 2, plans: {} };
  const end = { status: 'draft', revision: 3 };
  const late: Call = { ask: start!, answer: 'moved_on', from: 5, to: 6 };
  expect(explains(scheduled, [{ ask: unschedule!, answer: 'ok', from: 0, to: 4 }, late], end)).toBe(true);
  expect(explains(scheduled, [{ ask: unschedule!, answer: 'ok', from: 7, to: 8 }, late], end)).toBe(false);
});

test('the model knows that only a plan of the last revision schedules', () => {
  const [, patched] = apply(draft, { kind: 'patch' });
  expect(apply(patched, schedule)[0]).toBe('plan_stale');
  const [, planned] = apply(patched, { kind: 'plan', plan: 1 });
  const [answer, after] = apply(planned, { kind: 'schedule', plan: 1 });
  expect([answer, after.status, after.revision]).toEqual(['ok', 'scheduled', 3]);
});
