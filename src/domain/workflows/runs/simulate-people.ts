import type { Work } from '../../../database/work.ts';
import { breather } from '../../../kernel/breather.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import type { LiveGraph } from '../graph/live-graph.ts';
import { runOf } from '../nodes/index.ts';
import type { Question, Traveller } from '../shape/node-run.ts';
import {
  addTo,
  noMessage,
  toMessage,
  type MessageSum,
  type SimulatedMessage,
} from '../shape/simulated-message.ts';
import type { WebinarTimes } from '../shape/times.ts';
import { groupAlike, type Alike } from './alike.ts';
import { askRows } from './ask-rows.ts';
import { dryRun, type Limits, type Round } from './dry-run.ts';
import type { Ask, Step } from './walk.ts';

/** How much is done at a time, and in all. */
export interface Bounds {
  /** So many people are asked about together. */
  readonly peopleOfChunk: number;
  /** So many ways of these are walked together. */
  readonly waysOfPart: number;
  /** Once so many nodes were passed, no further chunk begins. */
  readonly mostPassed: number;
}

// A node takes 0.3 to 0.5 microseconds to pass, alone in its part 4; a round is at most 100 nodes of a part, and a
// person at most 101 rounds. So others wait some milliseconds, and all of it takes three seconds at most.
const usualBounds: Bounds = { peopleOfChunk: 500, waysOfPart: 50, mostPassed: 2_000_000 };

export interface Course {
  readonly graph: LiveGraph;
  readonly times: WebinarTimes | undefined;
  readonly question: Question;
  readonly startAt: Date;
  readonly limits: Limits;
}

/** What many would do, summed up. */
interface Sums {
  readonly messages: Map<string, MessageSum>;
  underWay: number;
  passed: number;
}

export interface Simulated {
  /** How many of the people were simulated, the first first. */
  readonly people: number;
  readonly messages: SimulatedMessage[];
  readonly underWay: number;
  /** Only of somebody who is simulated alone. */
  readonly steps: readonly Step[];
}

/**
 * Sums up what people would do. One of those who are alike walks for all of them, and what a round told is added up
 * before the next one, so memory grows neither with people nor with steps.
 */
export async function simulatePeople(
  work: Work,
  course: Course,
  people: readonly PersonId[],
  { peopleOfChunk, waysOfPart, mostPassed }: Bounds = usualBounds,
): Promise<Simulated> {
  const { graph, question } = course;
  const sums: Sums = { messages: new Map(), underWay: 0, passed: 0 };
  const steps: Step[] = [];
  // Most of its time is the database's, so it rests less than what has the thread to itself.
  const breathe = breather(work.isCrowded, { restsFor: 1 });
  let done = 0;
  while (done < people.length && sums.passed < mostPassed) {
    const chunk = people.slice(done, done + peopleOfChunk);
    const { groups, answer } = await groupAlike(work, graph, chunk, askRows(work, question), breathe);
    for (let at = 0; at < groups.length; at += waysOfPart) {
      const part = new Map(groups.slice(at, at + waysOfPart).map((alike) => [alike.people[0]!, alike]));
      for await (const round of roundsOf(course, [...part.keys()], answer)) {
        addRound(graph, sums, part, round);
        if (people.length === 1) steps.push(...round.stepsOf(people[0]!));
        await breathe();
      }
    }
    done += chunk.length;
  }
  return { people: done, messages: toMessages(graph, sums), underWay: sums.underWay, steps };
}

const roundsOf = ({ graph, times, startAt, limits }: Course, people: readonly PersonId[], answer: Ask) => {
  const atTrigger = { node: graph.trigger.next, at: startAt };
  const starting = people.map((person): Traveller => ({ run_id: person, person_id: person, ...atTrigger }));
  return dryRun(graph, times, starting, answer, limits);
};

/** Adds what those told who walked, each for all who are alike. */
function addRound(
  { nodes }: LiveGraph,
  sums: Sums,
  groups: ReadonlyMap<string, Alike>,
  { passed, underWay }: Round,
): void {
  for (const [id, travellers] of passed) {
    sums.passed += travellers.length;
    const node = nodes[id]!;
    const message = runOf(node).simulate(node);
    if (message === null) continue;
    const sum = sums.messages.get(id) ?? noMessage();
    sums.messages.set(id, sum);
    for (const { run_id, at } of travellers) {
      const { people, excluded } = groups.get(run_id)!;
      addTo(sum, at, people.length, excluded.get(message.channel)!);
    }
  }
  for (const { run_id } of underWay) sums.underWay += groups.get(run_id)!.people.length;
}

/** What each node would send, the earliest first. */
const toMessages = ({ nodes }: LiveGraph, { messages }: Sums): SimulatedMessage[] =>
  [...messages]
    .map(([id, sum]) => toMessage(id, runOf(nodes[id]!).simulate(nodes[id]!)!, sum))
    .toSorted((a, b) => (a.first_at < b.first_at ? -1 : a.first_at > b.first_at ? 1 : 0));
