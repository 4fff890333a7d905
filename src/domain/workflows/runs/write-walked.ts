import { sql } from 'kysely';
import { TryAgain } from '../../../database/org-transaction.ts';
import type { Work } from '../../../database/work.ts';
import type { Addressed } from '../../broadcasts/sending/mailing.ts';
import type { LiveGraph } from '../graph/live-graph.ts';
import type { Place, Traveller } from '../shape/node-run.ts';
import { runOf } from '../nodes/index.ts';
import type { Step, Walked } from './walk.ts';

export interface Version extends Omit<Place, 'node'> {
  readonly graph: LiveGraph;
}

/**
 * Writes where runs of one version went: their waits, their steps, and what the nodes they passed write. Returns what
 * they send; the caller adds that last and all at once, because other transactions want the rows that this locks.
 */
export async function writeWalked(
  work: Work,
  { graph, ...place }: Version,
  { steps, waiting, ended, passed }: Walked,
  firstSteps: ReadonlyMap<string, Step | undefined>,
): Promise<Addressed[]> {
  await moveWaits(work, waiting);
  await takeWaits(work, ended);
  await appendSteps(work, steps, firstSteps, ended);
  const nodes = [...passed].map(([id, travellers]) => ({ id, node: graph.nodes[id]!, travellers }));
  for (const { node, travellers } of nodes) await runOf(node).write(work, node, travellers);
  return nodes.flatMap(
    ({ id, node, travellers }) => runOf(node).send(node, { ...place, node: id }, travellers) ?? [],
  );
}

/** A person may have been merged between reading their wait and locking them: then the whole release starts over. */
function tryAgainUnless(affected: bigint | undefined, wanted: number): void {
  if (affected !== BigInt(wanted)) throw new TryAgain();
}

/** Moves each run's wait to the node where the run stands next. */
async function moveWaits({ db, org }: Work, waiting: Walked['waiting']): Promise<void> {
  if (waiting.length === 0) return;
  const waits = waiting.map(({ run_id, person_id, node, at, anchored, due }) => ({
    run_id,
    person_id,
    node,
    began_at: at,
    ...(anchored ?? { due_at: due }),
  }));
  const { numAffectedRows } = await sql`
    update waits w set node = n.node, anchor = n.anchor, offset_ms = n.offset_ms, due_at = n.due_at, began_at = n.began_at
    from json_to_recordset(${JSON.stringify(waits)}::json) as n(run_id uuid, person_id uuid, node text, anchor text,
      offset_ms bigint, due_at timestamptz, began_at timestamptz)
    where w.org_id = ${org} and w.run_id = n.run_id and w.person_id = n.person_id`.execute(db);
  tryAgainUnless(numAffectedRows, waits.length);
}

async function takeWaits(
  { db, org }: Work,
  runs: readonly Pick<Traveller, 'run_id' | 'person_id'>[],
): Promise<void> {
  if (runs.length === 0) return;
  const { numAffectedRows } = await sql`
    delete from waits w
    using unnest(${runs.map(({ run_id }) => run_id)}::uuid[], ${runs.map(({ person_id }) => person_id)}::uuid[])
      as n(run_id, person_id)
    where w.org_id = ${org} and w.run_id = n.run_id and w.person_id = n.person_id`.execute(db);
  tryAgainUnless(numAffectedRows, runs.length);
}

/** A run that loops for years keeps its latest steps. */
const appended = sql`case when jsonb_array_length(r.path) < 200 then r.path || n.steps
  else jsonb_path_query_array(r.path || n.steps, '$[last - 199 to last]') end`;

async function appendSteps(
  { db, org, now }: Work,
  steps: Walked['steps'],
  firstSteps: ReadonlyMap<string, Step | undefined>,
  ended: readonly Traveller[],
): Promise<void> {
  const over = new Set(ended.map(({ run_id }) => run_id));
  // Most runs took the same steps at the same moments: each such list is written once, and runs refer to it.
  const ways = new Map<string, { at: number; steps: readonly Step[] }>();
  const runs = [...steps].map(([run_id, walked]) => {
    const first = firstSteps.get(run_id);
    const taken = first === undefined ? walked : [first, ...walked];
    const key = taken.map(({ node, at, did }) => `${node} ${at.getTime()} ${did}`).join();
    const way = ways.get(key) ?? { at: ways.size, steps: taken };
    ways.set(key, way);
    return { run_id, way: way.at, over: over.has(run_id) };
  });
  const written = JSON.stringify([...ways.values()].map((way) => way.steps));
  await sql`
    update workflow_runs r set path = ${appended}, state = case when n.over then 'ended' else r.state end,
      ended_at = case when n.over then ${now}::timestamptz end, outcome = case when n.over then 'completed' end
    from (
      select t.run_id, ways.way -> t.at as steps, t.over
      from (select ${written}::jsonb as way) ways,
        unnest(${runs.map(({ run_id }) => run_id)}::uuid[], ${runs.map(({ way }) => way)}::int[],
          ${runs.map((run) => run.over)}::boolean[]) as t(run_id, at, over)) n
    where r.org_id = ${org} and r.id = n.run_id`.execute(db);
}

/** Ends runs where they wait. */
export async function endRuns(
  work: Work,
  runs: readonly Pick<Traveller, 'run_id' | 'person_id'>[],
  outcome: string,
): Promise<void> {
  await takeWaits(work, runs);
  const ids = runs.map(({ run_id }) => run_id);
  await sql`
    update workflow_runs set state = 'ended', ended_at = ${work.now}, outcome = ${outcome}
    where org_id = ${work.org} and id = any(${ids}::uuid[])`.execute(work.db);
}
