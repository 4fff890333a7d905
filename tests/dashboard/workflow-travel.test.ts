import { expect, test } from 'vitest';
import type { Graph } from '../../web/src/workflows/graph/graph.ts';
import { drawWay } from '../../web/src/workflows/runs/way-taken.ts';
import { momentAtShare, movedBy, shareOf, spanOf, withRoom } from '../../web/src/workflows/travel/rule.ts';
import { lettersOf, partedAt, standingAt, type Told } from '../../web/src/workflows/travel/standing.ts';

const hour = 3_600_000;
const day = 24 * hour;
const noon = Date.parse('2026-11-09T12:00:00Z');
const at = (ms: number): string => new Date(ms).toISOString();

const told = {
  steps: [
    { at: at(noon), node: 'hello', type: 'send', did: 'added' },
    { at: at(noon + 2 * day), node: 'wait', type: 'wait', did: 'waited' },
    { at: at(noon + 2 * day), node: 'bye', type: 'send', did: 'added' },
    { at: at(noon + 2 * day), node: 'end', type: 'end', did: 'ended' },
  ],
  messages: [
    { node: 'hello', channel: 'email', subject: 'Hello', excluded: [] },
    { node: 'bye', channel: 'sms', subject: null, excluded: [{ reason: 'opted_out', count: 1 }] },
  ],
} as unknown as Told;

test('somebody stands at a wait from when they came until it is over, and nowhere before they entered', () => {
  expect(standingAt(told, noon, noon - 1)).toEqual({ is: 'before' });
  const waiting = { is: 'waiting', node: 'wait', until: noon + 2 * day };
  expect(standingAt(told, noon, noon)).toEqual(waiting);
  expect(standingAt(told, noon, noon + 2 * day - 1)).toEqual(waiting);
  expect(standingAt(told, noon, noon + 2 * day)).toEqual({ is: 'ended', at: noon + 2 * day });
  expect(standingAt({ steps: told.steps.slice(0, 3) }, noon, noon + 9 * day)).toEqual({ is: 'beyond' });
  expect(partedAt(told, noon + day).done).toHaveLength(1);
  expect(partedAt(told, noon + 2 * day).ahead).toEqual([]);
});

test('messages of the way say when they would come, and why one would not', () => {
  expect(lettersOf(told)).toEqual([
    { node: 'hello', at: noon, channel: 'email', subject: 'Hello', reason: undefined },
    { node: 'bye', at: noon + 2 * day, channel: 'sms', subject: null, reason: 'opted_out' },
  ]);
});

test('the rule is to scale, keys go by steps and days, and marks that are near keep their words apart', () => {
  const span = spanOf([noon, noon + 10 * day]);
  expect(shareOf(span, noon + 5 * day)).toBe(0.5);
  expect(momentAtShare(span, 0.5) - noon).toBe(5 * day);
  expect(momentAtShare(span, 7)).toBe(span.to);
  const stops = [noon, noon + 2 * day, noon + 10 * day];
  const press = (from: number, key: string, shiftKey = false) =>
    movedBy(span, stops, from, { key, shiftKey });
  expect(press(noon, 'ArrowRight')).toBe(noon + 2 * day);
  expect(press(noon + 2 * day, 'ArrowLeft')).toBe(noon);
  expect(press(noon, 'ArrowRight', true)).toBe(noon + day);
  expect([press(noon, 'ArrowLeft'), press(noon, 'End')]).toEqual([span.from, span.to]);
  expect(press(noon, 'Tab')).toBeUndefined();
  const marks = [0, 1, 5].map((days) => ({ at: noon + days * day, label: 'x' }));
  expect(withRoom(marks, span, 0.2).map(({ isTold }) => isTold)).toEqual([true, false, true]);
});

test('the way of a run is drawn by what it did, also where two ways lead to the same node', () => {
  const graph = {
    trigger: { type: 'event', event_name: 'signed_up', next: 'wait' },
    nodes: [
      { id: 'wait', type: 'wait', anchor: 'start', next: 'split', past: 'split' },
      { id: 'split', type: 'attendance_split', attended: 'end', no_show: 'other' },
      { id: 'end', type: 'end' },
      { id: 'other', type: 'end' },
    ],
  } as Graph;
  const { tone, edgeTone } = drawWay(graph, [{ node: 'wait', did: 'past' }], undefined, [
    { node: 'split', did: 'attended' },
    { node: 'end', did: 'ended' },
  ]);
  const ways = [
    ['trigger', 'next'],
    ['wait', 'past'],
    ['wait', 'next'],
    ['split', 'attended'],
    ['split', 'no_show'],
  ] as const;
  expect(ways.map(([from, field]) => edgeTone({ from, field }))).toEqual([
    'path',
    'path',
    'dim',
    'next',
    'dim',
  ]);
  expect(['trigger', 'wait', 'split', 'end', 'other'].map(tone)).toEqual([
    'path',
    'path',
    'next',
    'next',
    'dim',
  ]);
  expect(drawWay(graph, [], 'wait').tone('wait')).toBe('here');
  expect(drawWay(graph, [], 'wait').tone('other')).toBeUndefined();
});
