import type { PersonId } from '../../kernel/ids.ts';
import type { LiveGraph, LiveWait } from './live-graph.ts';
import { dueAt, type WebinarTimes } from './times.ts';

/** Somebody on the way through a graph. `at` is the run's own time, which may be a little behind the clock's. */
export interface Traveller {
  readonly run_id: string;
  readonly person_id: PersonId;
  /** The node to enter next. */
  readonly node: string;
  readonly at: Date;
}

export const deeds = ['waited', 'past', 'attended', 'no_show', 'yes', 'no', 'added', 'set', 'ended'] as const;

/** What a run did at a node, for its path. `added`: its message came into the ledger, which says what became of it. */
export interface Step {
  readonly node: string;
  readonly at: Date;
  readonly did: (typeof deeds)[number];
}

/** Answers what splits ask, of many at once, as things stand at this moment. Each answers those for whom it holds. */
export interface Look {
  readonly attended: (people: readonly PersonId[]) => Promise<ReadonlySet<string>>;
  readonly matching: (node: string, people: readonly PersonId[]) => Promise<ReadonlySet<string>>;
}

export interface Walked {
  readonly steps: ReadonlyMap<string, readonly Step[]>;
  /** Who came to a wait, and when it ends as things stand. */
  readonly waiting: readonly (Traveller & { readonly wait: LiveWait; readonly due: Date })[];
  readonly ended: readonly Traveller[];
  /** Who came by a node that sends or sets something, in the order they did. */
  readonly acted: ReadonlyMap<string, readonly Traveller[]>;
}

/**
 * Takes travellers as far as they get without waiting. Everybody who stands at the same node goes through it together,
 * so that what a split asks is asked once for all of them.
 */
export async function walk(
  graph: LiveGraph,
  times: WebinarTimes | undefined,
  travellers: readonly Traveller[],
  look: Look,
): Promise<Walked> {
  const steps = new Map<string, Step[]>(travellers.map(({ run_id }) => [run_id, []]));
  const acted = new Map<string, Traveller[]>();
  const waiting: (Traveller & { wait: LiveWait; due: Date })[] = [];
  const ended: Traveller[] = [];
  const front = Map.groupBy(travellers, ({ node }) => node);
  const arrive = (one: Traveller) => {
    const there = front.get(one.node);
    if (there === undefined) front.set(one.node, [one]);
    else there.push(one);
  };
  const did = ({ run_id, node, at }: Traveller, what: Step['did']) =>
    steps.get(run_id)!.push({ node, at, did: what });
  const act = (one: Traveller, next: string, what: Step['did']) => {
    const there = acted.get(one.node);
    if (there === undefined) acted.set(one.node, [one]);
    else there.push(one);
    did(one, what);
    arrive({ ...one, node: next });
  };
  const split = (
    here: readonly Traveller[],
    holds: ReadonlySet<string>,
    [yes, yesNode]: readonly [Step['did'], string],
    [no, noNode]: readonly [Step['did'], string],
  ) => {
    for (const one of here) {
      const is = holds.has(one.person_id);
      did(one, is ? yes : no);
      arrive({ ...one, node: is ? yesNode : noNode });
    }
  };
  for (let entry = first(front); entry !== undefined; entry = first(front)) {
    const [id, here] = entry;
    front.delete(id);
    const node = graph.nodes[id];
    if (node === undefined) throw new Error(`a published graph has no node ${id}`);
    const people = here.map(({ person_id }) => person_id);
    switch (node.type) {
      case 'wait':
        for (const one of here) {
          const due = dueAt(node.for, one.at, times);
          const bound = later(one.at, times?.movedAt);
          if (due !== undefined && (typeof node.for === 'number' || due >= bound))
            waiting.push({ ...one, wait: node, due });
          else {
            did({ ...one, at: bound }, 'past');
            arrive({ ...one, node: node.past, at: bound });
          }
        }
        break;
      case 'attendance_split':
        split(here, await look.attended(people), ['attended', node.attended], ['no_show', node.no_show]);
        break;
      case 'condition_split':
        split(here, await look.matching(id, people), ['yes', node.yes], ['no', node.no]);
        break;
      case 'send':
        for (const one of here) act(one, node.next, 'added');
        break;
      case 'set_property':
        for (const one of here) act(one, node.next, 'set');
        break;
      case 'end':
        for (const one of here) did(one, 'ended');
        ended.push(...here);
    }
  }
  return { steps, waiting, ended, acted };
}

const first = <K, V>(map: ReadonlyMap<K, V>): readonly [K, V] | undefined => map.entries().next().value;

export const later = (a: Date, b: Date | null | undefined): Date =>
  b !== null && b !== undefined && b > a ? b : a;
