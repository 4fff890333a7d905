import { expect, test } from 'vitest';
import type { LiveGraph } from '../../src/domain/workflows/graph/live-graph.ts';
import type { Traveller } from '../../src/domain/workflows/shape/node-run.ts';
import type { LiveWait } from '../../src/domain/workflows/nodes/wait.ts';
import type { WebinarTimes } from '../../src/domain/workflows/shape/times.ts';
import { walk, type Ask } from '../../src/domain/workflows/runs/walk.ts';
import type { PersonId } from '../../src/kernel/ids.ts';

const minute = 60_000;
const start = Date.parse('2026-03-02T17:00:00Z');
/** So many minutes from the webinar's start. */
const at = (minutes: number): Date => new Date(start + minutes * minute);

const nobody: Ask = async () => new Set();
const traveller = (run_id: string, node: string, began: Date): Traveller => ({
  run_id,
  person_id: `person of ${run_id}` as PersonId,
  node,
  at: began,
});
const timesMoved = (moved: number | null): WebinarTimes => ({
  start: at(0),
  end: at(60),
  movedAt: moved === null ? null : at(moved),
  isCanceled: false,
});
const graphOf = (wait: LiveWait['for']): LiveGraph => ({
  trigger: { type: 'webinar_registration', webinar_id: null, next: 'wait' },
  nodes: {
    wait: { type: 'wait', for: wait, next: 'end', past: 'end' },
    end: { type: 'end' },
  },
});

const hourBefore = { anchor: 'start', offset_ms: -60 * minute } as const;
const atEnd = { anchor: 'end', offset_ms: 0 } as const;
const aMoment = 1 / minute; // a millisecond, in minutes

/** Minutes from the start: when somebody comes to a wait, when the webinar was moved, and what comes of it. */
const arrivals: [
  what: string,
  wait: LiveWait['for'],
  arrives: number,
  moved: number | null,
  outcome: { readonly waitsUntil?: number; readonly pastAt?: number },
][] = [
  ['before the moment', hourBefore, -61, null, { waitsUntil: -60 }],
  ['at the very moment', hourBefore, -60, null, { waitsUntil: -60 }],
  ['just after the moment', hourBefore, -60 + aMoment, null, { pastAt: -60 + aMoment }],
  ['at the very end', atEnd, 60, null, { waitsUntil: 60 }],
  ['just after the end', atEnd, 60 + aMoment, null, { pastAt: 60 + aMoment }],
  ['before a time moved to the moment itself', hourBefore, -90, -60, { waitsUntil: -60 }],
  ['before a time moved past the moment', hourBefore, -90, -60 + aMoment, { pastAt: -60 + aMoment }],
  ['after a time moved before the moment', hourBefore, -70, -80, { waitsUntil: -60 }],
  ['with a while to wait', 30 * minute, 5, null, { waitsUntil: 35 }],
  ['with a while to wait, moved since', 30 * minute, 5, 50, { waitsUntil: 35 }],
];

test.each(arrivals)('somebody comes to a wait %s', async (_, wait, arrives, moved, outcome) => {
  const { waitsUntil, pastAt } = outcome;
  const walked = await walk(
    graphOf(wait),
    timesMoved(moved),
    [traveller('run', 'wait', at(arrives))],
    nobody,
  );
  expect(walked.waiting.map(({ due }) => due)).toEqual(waitsUntil === undefined ? [] : [at(waitsUntil)]);
  expect(walked.steps.get('run')).toEqual(
    pastAt === undefined
      ? []
      : [
          { node: 'wait', at: at(pastAt), did: 'past' },
          { node: 'end', at: at(pastAt), did: 'ended' },
        ],
  );
});

test('a moment of a webinar that is not there is past', async () => {
  const walked = await walk(graphOf(hourBefore), undefined, [traveller('run', 'wait', at(-90))], nobody);
  expect(walked.steps.get('run')).toMatchObject([{ did: 'past', at: at(-90) }, { did: 'ended' }]);
});

test('everybody who comes to one node goes through it, each at their own time and by their own answer', async () => {
  const graph: LiveGraph = {
    trigger: { type: 'webinar_registration', webinar_id: null, next: 'split' },
    nodes: {
      split: { type: 'attendance_split', attended: 'rest', no_show: 'end' },
      rest: { type: 'wait', for: 10 * minute, next: 'end', past: 'end' },
      end: { type: 'end' },
    },
  };
  const asked: (readonly string[])[] = [];
  const ask: Ask = async ({ type }, people) => {
    asked.push([type, ...people]);
    return new Set(['person of b', 'person of c']);
  };
  const travellers = [
    traveller('a', 'split', at(1)),
    traveller('b', 'split', at(2)),
    traveller('c', 'rest', at(3)),
    traveller('d', 'end', at(4)),
  ];
  const walked = await walk(graph, timesMoved(null), travellers, ask);
  expect(asked).toEqual([['attendance_split', 'person of a', 'person of b']]);
  expect(Object.fromEntries(walked.waiting.map(({ run_id, due }) => [run_id, due]))).toEqual({
    b: at(12),
    c: at(13),
  });
  expect(Object.fromEntries(walked.ended.map((one) => [one.run_id, one.at]))).toEqual({ a: at(1), d: at(4) });
});
