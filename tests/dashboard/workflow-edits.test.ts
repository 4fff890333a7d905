import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Graph } from '../../src/domain/workflows/graph/graph.ts';
import { atTrigger, type Graph as Draft, type NodeType } from '../../web/src/workflows/graph/graph.ts';
import { layoutOf } from '../../web/src/workflows/graph/layout.ts';
import { allWays } from '../../web/src/workflows/graph/ways.ts';
import {
  addStep,
  changeStep,
  duplicateStep,
  leadTo,
  removeStep,
  renameStep,
} from '../../web/src/workflows/model/edits.ts';
import { catchUp } from '../../web/src/workflows/model/catch-up.ts';
import { begin, go, redo, undo, type History } from '../../web/src/workflows/model/history.ts';
import { newStep } from '../../web/src/workflows/model/new-step.ts';
import { tries } from '../support/volume.ts';

const types: readonly NodeType[] = [
  'wait',
  'attendance_split',
  'condition_split',
  'send_email',
  'send_text',
  'set_property',
  'end',
];
const plan = { key: 'plan', type: 'string' } as never;
const empty: Draft = { trigger: { type: 'webinar_registration', webinar_id: null }, nodes: [] };

/** Something somebody does on the canvas; numbers choose among what is there. */
const deed = fc.record({
  does: fc.constantFrom('add', 'add', 'add', 'remove', 'lead', 'cut', 'rename', 'change', 'duplicate'),
  type: fc.constantFrom(...types),
  at: fc.nat(1_000),
  to: fc.nat(1_000),
});
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

const pick = <T>(from: readonly T[], at: number): T | undefined =>
  from.length === 0 ? undefined : from[at % from.length];

function act(graph: Draft, { does, type, at, to }: Deed): Draft {
  const way = pick(allWays(graph), at)!;
  const node = pick(graph.nodes, at);
  if (does === 'add') return addStep(graph, way, newStep(graph, type, [plan]));
  if (does === 'cut') return leadTo(graph, way, undefined);
  if (node === undefined) return graph;
  if (does === 'lead') return leadTo(graph, way, pick(graph.nodes, to)!.id);
  if (does === 'remove') return removeStep(graph, node.id);
  if (does === 'duplicate') return duplicateStep(graph, node.id);
  if (does === 'rename')
    return graph.nodes.some(({ id }) => id === `renamed-${to}`)
      ? graph
      : renameStep(graph, node.id, `renamed-${to}`);
  return node.type === 'send_email' ? changeStep(graph, node.id, { subject: `Subject ${to}` }) : graph;
}

const isWhole = (graph: Draft): void => {
  const ids = graph.nodes.map(({ id }) => id);
  expect(new Set([atTrigger, ...ids]).size).toBe(ids.length + 1);
  for (const { to } of allWays(graph)) if (to !== undefined) expect(ids).toContain(to);
  expect(Graph.safeParse(graph).error).toBeUndefined();
};

const back = (history: History<Draft>): History<Draft> =>
  history.past.length === 0 ? history : back(undo(history));
const forth = (history: History<Draft>): History<Draft> =>
  history.future.length === 0 ? history : forth(redo(history));

test('whatever is edited, the graph keeps the form the service takes, and undoing gives back each graph exactly', () => {
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 40 }), (deeds) => {
      let history = begin(empty);
      const seen = [empty];
      for (const one of deeds) {
        const before = JSON.stringify(history.present);
        const next = act(history.present, one);
        expect(JSON.stringify(history.present), 'an edit changes no graph').toBe(before);
        isWhole(next);
        if (next !== history.present) seen.push(next);
        history = go(history, next);
      }
      const last = history.present;
      expect(history.past.length).toBe(seen.length - 1);
      for (const graph of seen.toReversed().slice(1)) {
        history = undo(history);
        expect(history.present).toBe(graph);
      }
      expect(forth(back(history)).present).toBe(last);
    }),
    tries(2_000, 150),
  );
});

test('every graph gets places that do not cover each other, and every way is drawn', () => {
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 25 }), (deeds) => {
      const graph = deeds.reduce(act, empty);
      const { places, ways } = layoutOf(graph);
      for (const { id } of graph.nodes) expect(places.has(id)).toBe(true);
      for (const { path, end } of ways) {
        expect(path).toMatch(/^M[-\d.]+ [-\d.]+(L|Q)/);
        expect(path).not.toMatch(/NaN|undefined/);
        expect(places.has(end)).toBe(true);
      }
      const all = [...places.values()];
      for (const [at, a] of all.entries())
        for (const b of all.slice(at + 1))
          expect(
            a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y,
          ).toBe(true);
    }),
    tries(500, 40),
  );
});

test('a step that is put on a way takes it over, and leaves it as it was when it is taken out', () => {
  const ended = addStep(empty, { from: atTrigger, field: 'next' }, newStep(empty, 'end', []));
  const split = newStep(ended, 'attendance_split', []);
  const put = addStep(ended, { from: atTrigger, field: 'next' }, split);
  expect(put.trigger.next).toBe('attendance');
  expect(put.nodes.find(({ id }) => id === 'attendance')).toEqual({
    id: 'attendance',
    type: 'attendance_split',
    attended: 'end',
  });
  expect(removeStep(put, 'attendance')).toEqual(ended);
});

test('letters of one field are undone together, and another field by itself', () => {
  let history = begin('');
  for (const [text, about] of [
    ['a', 'subject'],
    ['ab', 'subject'],
    ['ab.', 'body'],
  ] as const)
    history = go(history, text, about);
  history = undo(history);
  expect(history.present).toBe('ab');
  expect(undo(history).present).toBe('');
  expect(redo(undo(history)).present).toBe('ab');
});

const oneStep: Draft = { ...empty, nodes: [{ id: 'end', type: 'end' }] };

test('what was edited since the last save is kept when a newer revision is read', () => {
  const edited = { ...oneStep, nodes: [] };
  const read = { revision: 5, graph: structuredClone(oneStep) };
  expect(catchUp({ revision: 4, graph: oneStep }, edited, read)).toBeUndefined();
});

test('while nothing waits here, what somebody else changed is taken, and what is the same stays', () => {
  const base = { revision: 4, graph: oneStep };
  const same = catchUp(base, oneStep, { revision: 5, graph: structuredClone(oneStep) });
  expect(same?.revision).toBe(5);
  expect(same?.graph).toBe(oneStep);
  const theirs = { revision: 5, graph: empty };
  expect(catchUp(base, oneStep, theirs)).toBe(theirs);
});
