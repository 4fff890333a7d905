import type { Work } from '../../src/database/work.ts';
import { exclusion } from '../../src/domain/broadcasts/plan/audience.ts';
import { runOf } from '../../src/domain/workflows/nodes/index.ts';
import { askRows } from '../../src/domain/workflows/runs/ask-rows.ts';
import type { Course } from '../../src/domain/workflows/runs/simulate-people.ts';
import { walk, type Step } from '../../src/domain/workflows/runs/walk.ts';
import type { Traveller } from '../../src/domain/workflows/shape/node-run.ts';
import type { PersonId } from '../../src/kernel/ids.ts';

/** What a dry run should tell: everybody walks alone from wait to wait, everything is kept and counted at the end. */
export async function simulateEachAlone(work: Work, course: Course, people: readonly PersonId[]) {
  const { nodes } = course.graph;
  const ways = new Map<string, Way>();
  for (const person of people) ways.set(person, await walkAlone(work, course, person));
  const all = [...ways.values()];
  const messages: Record<string, object> = {};
  for (const [id, node] of Object.entries(nodes)) {
    if (node.type !== 'send') continue;
    const { channel, subject } = node.message;
    const passed = all.flatMap((way) => way.passed.filter((one) => one.node === id));
    if (passed.length === 0) continue;
    const times = passed.map(({ at }) => at.toISOString()).toSorted();
    const reasons = (await Promise.all(passed.map((one) => reasonOf(work, channel, one.person_id)))).filter(
      (reason) => reason !== null,
    );
    messages[id] = {
      channel,
      subject,
      first_at: times[0],
      last_at: times.at(-1),
      people: passed.length,
      reachable: passed.length - reasons.length,
      excluded: Object.fromEntries(
        [...new Set(reasons)].map((reason) => [reason, reasons.filter((one) => one === reason).length]),
      ),
    };
  }
  return {
    messages,
    underWay: all.filter((way) => way.isUnderWay).length,
    steps: new Map([...ways].map(([person, { steps }]) => [person, steps])),
  };
}

interface Way {
  readonly steps: Step[];
  readonly passed: Traveller[];
  readonly isUnderWay: boolean;
}

async function walkAlone(work: Work, course: Course, person: PersonId): Promise<Way> {
  const { graph, times, question, startAt, limits } = course;
  const steps: Step[] = [];
  const passed: Traveller[] = [];
  let next: Traveller = { run_id: person, person_id: person, node: graph.trigger.next, at: startAt };
  for (let waits = 0; ; waits++) {
    const walked = await walk(graph, times, [next], askRows(work, question));
    steps.push(...walked.steps.get(person)!);
    passed.push(...[...walked.passed.values()].flat());
    const [waiting] = walked.waiting;
    if (waiting === undefined) return { steps, passed, isUnderWay: false };
    const { due, anchored, at } = waiting;
    if (due > limits.until || waits === limits.mostWaits) return { steps, passed, isUnderWay: true };
    const node = graph.nodes[waiting.node]!;
    const wait = { due, anchored: anchored !== undefined, began_at: at };
    const left = runOf(node).leave(node, wait, { times, resumedAt: null });
    steps.push({ node: waiting.node, at: left.at, did: left.did as Step['did'] });
    next = { ...next, node: left.to, at: left.at };
  }
}

async function reasonOf(work: Work, channel: 'email' | 'sms', person: PersonId): Promise<string | null> {
  const asked = work.db
    .selectFrom('people')
    .where('people.org_id', '=', work.org)
    .where('people.id', '=', person);
  return (await exclusion(work, asked, channel).executeTakeFirstOrThrow()).excluded;
}
