import { sql } from 'kysely';
import { holdIdlePeople } from '../../../database/hold-people.ts';
import { thingHeld } from '../../../database/locks.ts';
import { byKeysFromHere } from '../../../database/planner.ts';
import type { Work } from '../../../database/work.ts';
import { addToMailings, type Addressed } from '../../broadcasts/sending/mailing.ts';
import { atTrigger } from '../../triggers/enroll.ts';
import { findConfigs } from '../../properties/property-config.ts';
import { shareClock } from '../../waits/clock.ts';
import { askRows } from './ask-rows.ts';
import { findDue, type DueWait } from './due-waits.ts';
import type { LiveGraph } from '../graph/live-graph.ts';
import type { Traveller } from '../shape/node-run.ts';
import { runOf, type Deed } from '../nodes/index.ts';
import { readTimes, type WebinarTimes } from '../shape/times.ts';
import { walk, type Step } from './walk.ts';
import { readVersion } from '../graph/workflow-rows.ts';
import { endRuns, writeWalked } from './write-walked.ts';

export interface Part {
  readonly due: number;
  readonly released: number;
  /** When the last of them was due. */
  readonly reached: Date | undefined;
}

/**
 * Releases what is due on one clock, in one transaction: runs leave their waits and go as far as they get, and what
 * they do on the way is written together with where they stand then. An interruption undoes all of it. The webinar
 * cannot move meanwhile, so each run leaves at the valid time. Returns how many waits were due, and how many of them
 * were released.
 */
export async function releaseDue(
  work: Work,
  clock: string,
  some: { readonly most: number; readonly from?: Date | undefined },
): Promise<Part> {
  await aloneAt(work, clock);
  await shareClock(work, clock);
  const times = await readTimes(work, clock);
  const due = await findDue(work, clock, times, some);
  const reached = due.at(-1)?.due;
  const held = due.length === 0 ? new Set<string>() : await holdDue(work, due);
  const waits = due.filter(({ person_id }) => held.has(person_id));
  if (waits.length === 0) return { due: due.length, released: 0, reached };
  if (times?.isCanceled === true) await endRuns(work, waits, 'webinar_canceled');
  else {
    const standings = await readStandings(work, waits);
    const isGone = ({ workflow_id }: DueWait) => !standings.has(workflow_id);
    const gone = waits.filter(isGone);
    if (gone.length > 0) await endRuns(work, gone, 'workflow_deleted');
    const isPaused = ({ workflow_id }: DueWait) => standings.get(workflow_id)?.isPaused === true;
    await holdBack(work, waits.filter(isPaused));
    const going = waits.filter((wait) => !isPaused(wait) && !isGone(wait));
    const groups: (readonly [readonly DueWait[], LiveGraph])[] = [];
    for (const group of byVersion(going)) groups.push([group, await readGraph(work, group[0]!)]);
    await holdProperties(
      work,
      groups.map(([, graph]) => graph),
    );
    const sent: Addressed[] = [];
    for (const [group, graph] of groups) {
      const { resumedAt } = standings.get(group[0]!.workflow_id)!;
      sent.push(...(await advance(work, clock, { waits: group, graph }, times, resumedAt)));
    }
    await addToMailings(work, sent);
  }
  return { due: due.length, released: waits.length, reached };
}

/** Allows one release of a clock at a time. */
const aloneAt = async ({ db }: Work, clock: string): Promise<void> =>
  void (await sql`select ${thingHeld('release', clock)}, ${byKeysFromHere}`.execute(db));

/**
 * Locks people, so that no person released here is deleted or merged meanwhile. Skips a person locked by another
 * transaction, because that one may wait for this clock; the next part finds them. A person merged a moment ago is
 * detected when their wait is written.
 */
const holdDue = (work: Work, due: readonly DueWait[]): Promise<ReadonlySet<string>> =>
  holdIdlePeople(
    work,
    due.map(({ person_id }) => person_id),
    'staying',
  );

interface Standing {
  readonly isPaused: boolean;
  readonly resumedAt: Date | null;
}

/** Locks the workflows, so that nothing is released once a pause was answered. */
async function readStandings({ db, org }: Work, due: readonly DueWait[]): Promise<Map<string, Standing>> {
  const rows = await db
    .selectFrom('workflows')
    .select(['id', 'status', 'resumed_at'])
    .where('org_id', '=', org)
    .where('id', 'in', [...new Set(due.map(({ workflow_id }) => workflow_id))])
    .orderBy('id')
    .forShare()
    .execute();
  return new Map(
    rows.map(({ id, status, resumed_at }) => [id, { isPaused: status === 'paused', resumedAt: resumed_at }]),
  );
}

/** Holds back waits that come due during a pause until it ends, out of the way of the others. */
async function holdBack({ db, org }: Work, due: readonly DueWait[]): Promise<void> {
  if (due.length === 0) return;
  const ids = due.map(({ run_id }) => run_id);
  await sql`update waits set held = true where org_id = ${org} and run_id = any(${ids}::uuid[])`.execute(db);
}

const byVersion = (waits: readonly DueWait[]): Iterable<readonly DueWait[]> =>
  Map.groupBy(waits, ({ workflow_id, version }) => `${workflow_id} ${version}`).values();

async function readGraph(work: Work, { workflow_id, version }: DueWait): Promise<LiveGraph> {
  const graph = await readVersion(work, workflow_id, version);
  if (graph === undefined) throw new Error('a run without its version');
  return graph;
}

/**
 * Keeps the properties that may be set until the transaction ends. Locks them before any value is written: a deletion
 * locks its property first and reaches people's values later.
 */
async function holdProperties(work: Work, graphs: readonly LiveGraph[]): Promise<void> {
  const nodes = graphs.flatMap(({ nodes: all }) => Object.values(all));
  const keys = nodes.flatMap((node) => runOf(node).sets(node));
  await findConfigs(work, keys, 'hold');
}

/** Takes runs of one version from their waits to their next ones. Returns what they send. */
async function advance(
  work: Work,
  clock: string,
  { waits, graph }: { readonly waits: readonly DueWait[]; readonly graph: LiveGraph },
  times: WebinarTimes | undefined,
  resumedAt: Date | null,
): Promise<Addressed[]> {
  const { workflow_id, version } = waits[0]!;
  const webinar_id = times === undefined ? null : clock;
  const left = waits.map((wait) => leave(graph, wait, times, resumedAt));
  const travellers = left.map(([traveller]) => traveller);
  const walked = await walk(graph, times, travellers, askRows(work, { webinar_id, supposed: {} }));
  const firstSteps = new Map(left.map(([{ run_id }, step]) => [run_id, step]));
  return writeWalked(work, { workflow_id, version, webinar_id, graph }, walked, firstSteps);
}

/** How a run continues from its wait, and what its path says about that. */
function leave(
  graph: LiveGraph,
  wait: DueWait,
  times: WebinarTimes | undefined,
  resumedAt: Date | null,
): [Traveller, Step | undefined] {
  const { run_id, person_id, node: id } = wait;
  if (id === atTrigger) return [{ run_id, person_id, node: graph.trigger.next, at: wait.due }, undefined];
  const node = graph.nodes[id];
  if (node === undefined) throw new Error(`a run waits at ${id}, which its version does not have`);
  const { to, at, did } = runOf(node).leave(node, wait, { times, resumedAt });
  return [
    { run_id, person_id, node: to, at },
    { node: id, at, did: did as Deed },
  ];
}
