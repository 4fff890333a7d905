import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileGraph } from '../../src/domain/workflows/graph/compile-graph.ts';
import { edgesOf } from '../../src/domain/workflows/graph/edges.ts';
import { Graph } from '../../src/domain/workflows/graph/graph.ts';
import { structureProblems } from '../../src/domain/workflows/graph/structure-problems.ts';
import { tries } from '../support/volume.ts';

// What is wrong with a graph, told a second time and in another way: by tables of who leads to whom, first in one step,
// then in any number of them.

const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const maybeNext = fc.option(fc.nat(names.length - 1), { nil: undefined, freq: 12 });

const anyNode = (id: string): fc.Arbitrary<Record<string, unknown>> =>
  fc.oneof(
    fc.record({
      id: fc.constant(id),
      type: fc.constant('wait'),
      duration_minutes: fc.constantFrom(0, 0.5, 1, 60),
      next: maybeNext,
    }),
    fc.record({
      id: fc.constant(id),
      type: fc.constant('wait'),
      anchor: fc.constantFrom('start', 'end'),
      offset_minutes: fc.constantFrom(-60, 0, 60),
      next: maybeNext,
      past: maybeNext,
    }),
    fc.record({
      id: fc.constant(id),
      type: fc.constant('attendance_split'),
      attended: maybeNext,
      no_show: maybeNext,
    }),
    fc.record({
      id: fc.constant(id),
      type: fc.constant('condition_split'),
      filters: fc.constant([{ property: 'first_name', op: 'is_not_empty' }]),
      yes: maybeNext,
      no: maybeNext,
    }),
    fc.record({ id: fc.constant(id), type: fc.constant('send_text'), next: maybeNext }),
    fc.record({ id: fc.constant(id), type: fc.constant('end') }),
  );

const ways = ['next', 'past', 'attended', 'no_show', 'yes', 'no'];

/** Ways lead to a node that is there; some are left out. */
const anyGraph = fc
  .tuple(fc.nat(names.length), maybeNext, fc.tuple(...names.map(anyNode)), fc.boolean())
  .map(([count, next, nodes, onEvent]) => {
    const led = (fields: Record<string, unknown>): Record<string, unknown> =>
      Object.fromEntries(
        Object.entries(fields).flatMap(([field, value]) => {
          if (!ways.includes(field)) return [[field, value]];
          return value === undefined || count === 0 ? [] : [[field, names[(value as number) % count]]];
        }),
      );
    const trigger = onEvent ? { type: 'event', event_name: 'bought' } : { type: 'webinar_registration' };
    return Graph.parse({ trigger: led({ ...trigger, next }), nodes: nodes.slice(0, count).map(led) });
  });

const asked: Record<string, string[]> = {
  wait: ['next'],
  attendance_split: ['attended', 'no_show'],
  condition_split: ['yes', 'no'],
  send_text: ['next'],
  end: [],
};

function oracle(graph: Graph): string[] {
  const nodes = graph.nodes as unknown as Record<string, unknown>[];
  const index = new Map(nodes.map((node, at) => [node['id'] as string, at]));
  const leads = nodes.map((node) =>
    nodes.map((_, to) => ways.some((way) => index.get(node[way] as string) === to)),
  );
  const closure = (steps: boolean[][]): boolean[][] => {
    const after = steps.map((row) => [...row]);
    for (let k = 0; k < after.length; k++)
      for (let i = 0; i < after.length; i++)
        for (let j = 0; j < after.length; j++) after[i]![j] ||= after[i]![k]! && after[k]![j]!;
    return after;
  };
  const pauses = nodes.map((node) => ((node['duration_minutes'] as number | undefined) ?? 0) >= 1);
  const ahead = closure(leads);
  const restless = closure(leads.map((row, i) => row.map((to, j) => to && !pauses[i] && !pauses[j])));
  const first = index.get(graph.trigger.next ?? '');
  const found: string[] = [];
  if (first === undefined) found.push('/graph/trigger/next next_missing');
  for (const [i, node] of nodes.entries()) {
    for (const way of asked[node['type'] as string]!)
      if (node[way] === undefined) found.push(`/graph/nodes/${i}/${way} next_missing`);
    if (first !== undefined && i !== first && !ahead[first]![i]) found.push(`/graph/nodes/${i} unreachable`);
    const inCircle = restless[i]![i]!;
    const isFirstOfIt = !nodes.some((_, j) => j < i && restless[i]![j] && restless[j]![i]);
    if (inCircle && isFirstOfIt) found.push(`/graph/nodes/${i} endless`);
    if (graph.trigger.type === 'event' && node['type'] === 'attendance_split')
      found.push(`/graph/nodes/${i} webinar_required`);
    if (graph.trigger.type === 'event' && node['anchor'] !== undefined)
      found.push(`/graph/nodes/${i}/anchor webinar_required`);
  }
  return found.toSorted();
}

const told = (graph: Graph): string[] =>
  structureProblems(graph)
    .map(({ pointer, code }) => `${pointer} ${code}`)
    .toSorted();

describe('what is wrong with the shape of a graph', () => {
  test('is what another way to look at it says, whatever the graph', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        expect(told(graph)).toEqual(oracle(graph));
      }),
      tries(50_000),
    );
  });

  test('the graphs tried are of every kind: sound ones, and each fault by itself', () => {
    const seen = new Map<string, number>();
    for (const graph of fc.sample(anyGraph, tries(50_000))) {
      const codes = new Set(told(graph).map((problem) => problem.split(' ')[1]));
      const kind = codes.size === 0 ? 'sound' : [...codes].join(' ');
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
    }
    for (const kind of ['sound', 'next_missing', 'unreachable', 'endless', 'webinar_required'])
      expect({ kind, seen: seen.get(kind) ?? 0 }).toEqual({ kind, seen: expect.toSatisfy((n) => n > 5) });
  });

  test('a sound graph compiles: every way on names a node that is there', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        if (structureProblems(graph).length > 0) return;
        const accepted = Object.fromEntries(graph.nodes.map(({ id }) => [id, { filters: [] }]));
        const live = compileGraph({ ...graph, accepted });
        const named = Object.values(live.nodes).flatMap((node) =>
          ways.flatMap((way) => (node as unknown as Record<string, string>)[way] ?? []),
        );
        for (const id of [live.trigger.next, ...named]) expect(live.nodes).toHaveProperty(id);
      }),
      tries(50_000),
    );
  });
});

describe('a circle', () => {
  const circle = (...waits: object[]) =>
    Graph.parse({
      trigger: { type: 'webinar_registration', next: 'n0' },
      nodes: waits.map((wait, at) => ({ id: `n${at}`, next: `n${(at + 1) % waits.length}`, ...wait })),
    });
  const text = { type: 'send_text' };

  test('needs a wait of a minute or more', () => {
    expect(told(circle(text, { type: 'wait', duration_minutes: 1 }))).toEqual([]);
    expect(told(circle(text, { type: 'wait', duration_minutes: 0.99 }))).toEqual(['/graph/nodes/0 endless']);
  });

  test('of anchored waits alone has no end: their moment stays where it is', () => {
    const anchored = { type: 'wait', anchor: 'start', offset_minutes: 10 };
    expect(told(circle(text, anchored))).toEqual(['/graph/nodes/0 endless']);
  });

  test('through the past way of a wait counts as well', () => {
    const graph = Graph.parse({
      trigger: { type: 'webinar_registration', next: 'w' },
      nodes: [
        { id: 'w', type: 'wait', anchor: 'end', next: 'done', past: 'w' },
        { id: 'done', type: 'end' },
      ],
    });
    expect(told(graph)).toEqual(['/graph/nodes/0 endless']);
  });

  test('is told once, with the names of those in it', () => {
    const [problem, ...others] = structureProblems(circle(text, text, text));
    expect(others).toEqual([]);
    expect(problem?.message).toContain('n0, n1, n2');
  });
});

test('every type of node says which ways lead on from it', () => {
  const types = Graph.shape.nodes.unwrap().element.options.map((option) => option.shape.type.value);
  const edges = types.map((type) => [type, edgesOf({ id: 'x', type } as never).map(({ field }) => field)]);
  expect(Object.fromEntries(edges)).toEqual({
    wait: ['next', 'past'],
    attendance_split: ['attended', 'no_show'],
    condition_split: ['yes', 'no'],
    send_email: ['next'],
    send_text: ['next'],
    set_property: ['next'],
    end: [],
  });
});
