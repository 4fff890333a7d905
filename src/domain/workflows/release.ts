import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import { atTrigger } from '../triggers/enroll.ts';
import { shareClock } from '../waits/clock.ts';
import { findDue, type DueWait } from './due-waits.ts';
import type { LiveGraph } from './live-graph.ts';
import { lookAtRows } from './look.ts';
import { readTimes, type WebinarTimes } from './times.ts';
import { later, walk, type Step, type Traveller } from './walk.ts';
import { readVersion } from './workflow-rows.ts';
import { endRuns, writeWalked } from './write-walked.ts';

export interface Part {
  readonly due: number;
  readonly released: number;
  /** When the last of them was due. */
  readonly reached: Date | undefined;
}

/**
 * Releases what is due of one clock, in one transaction: these runs leave their waits, go as far as they get, and what
 * they do on the way is written with where they stand then. Interrupted, nothing of it happened. The webinar cannot
 * move meanwhile, so each leaves at the time that held. Answers how many were due, and how many of those were released.
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
  const held = due.length === 0 ? new Set<string>() : await holdPeople(work, due);
  const there = due.filter(({ person_id }) => held.has(person_id));
  if (there.length === 0) return { due: due.length, released: 0, reached };
  if (times?.isCanceled === true) await endRuns(work, there, 'webinar_canceled');
  else {
    const standings = await readStandings(work, there);
    const isGone = ({ workflow_id }: DueWait) => !standings.has(workflow_id);
    const gone = there.filter(isGone);
    if (gone.length > 0) await endRuns(work, gone, 'workflow_deleted');
    const isPaused = ({ workflow_id }: DueWait) => standings.get(workflow_id)?.isPaused === true;
    await holdBack(work, there.filter(isPaused));
    for (const group of byVersion(there.filter((wait) => !isPaused(wait) && !isGone(wait)))) {
      await advance(work, clock, group, times, standings.get(group[0]!.workflow_id)!.resumedAt);
    }
  }
  return { due: due.length, released: there.length, reached };
}

/**
 * One release of a clock at a time, should there be two; and few rows are looked up by their keys, whatever the planner
 * thinks of it: it took hash joins over whole tables for as long as those were small.
 */
async function aloneAt({ db }: Work, clock: string): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended(${clock}, 1)), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true), set_config('enable_seqscan', 'off', true)`.execute(db);
}

/**
 * People are held, so that nobody released here is deleted or merged meanwhile. Somebody who is being changed at this
 * moment is not waited for, because whoever does that may wait for this clock; the next part finds them. Whoever was
 * merged a moment ago is found out when their wait is written.
 */
async function holdPeople({ db, org }: Work, due: readonly DueWait[]): Promise<ReadonlySet<string>> {
  const ids = due.map(({ person_id }) => person_id);
  const { rows } = await sql<{ id: string }>`
    select id from people where org_id = ${org} and id = any(${ids}::uuid[])
    order by id for key share skip locked`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

interface Standing {
  readonly isPaused: boolean;
  readonly resumedAt: Date | null;
}

/** Held, so that nothing is released any more once a pause was answered. */
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

/** What comes due in a pause waits for its end, out of the way of what others are to do. */
async function holdBack({ db, org }: Work, due: readonly DueWait[]): Promise<void> {
  if (due.length === 0) return;
  const ids = due.map(({ run_id }) => run_id);
  await sql`update waits set held = true where org_id = ${org} and run_id = any(${ids}::uuid[])`.execute(db);
}

const byVersion = (waits: readonly DueWait[]): Iterable<readonly DueWait[]> =>
  Map.groupBy(waits, ({ workflow_id, version }) => `${workflow_id} ${version}`).values();

/** Runs of one version, from where they waited to where they wait next. */
async function advance(
  work: Work,
  clock: string,
  waits: readonly DueWait[],
  times: WebinarTimes | undefined,
  resumedAt: Date | null,
): Promise<void> {
  const { workflow_id, version } = waits[0]!;
  const webinar_id = times === undefined ? null : clock;
  const graph = await readVersion(work, workflow_id, version);
  if (graph === undefined) throw new Error('a run without its version');
  const left = waits.map((wait) => leave(graph, wait, times, resumedAt));
  const travellers = left.map(([traveller]) => traveller);
  const walked = await walk(graph, times, travellers, lookAtRows(work, graph, webinar_id));
  const firstSteps = new Map(left.map(([{ run_id }, step]) => [run_id, step]));
  await writeWalked(work, { workflow_id, version, webinar_id, graph }, walked, firstSteps);
}

/** How a run leaves the wait it stands at: as its time has come, or past it when it never stood a chance. */
function leave(
  graph: LiveGraph,
  { run_id, person_id, node: id, due, anchored, began_at }: DueWait,
  times: WebinarTimes | undefined,
  resumedAt: Date | null,
): [Traveller, Step | undefined] {
  if (id === atTrigger) return [{ run_id, person_id, node: graph.trigger.next, at: due }, undefined];
  const node = graph.nodes[id];
  if (node?.type !== 'wait') throw new Error(`a run waits at ${id}, which is no wait`);
  const bound = later(later(began_at, times?.movedAt), resumedAt);
  const isPast = anchored && due < bound;
  const at = isPast ? bound : due;
  const step: Step = { node: id, at, did: isPast ? 'past' : 'waited' };
  return [{ run_id, person_id, node: isPast ? node.past : node.next, at }, step];
}
