import { sql } from 'kysely';
import { TryAgain } from '../../database/org-transaction.ts';
import type { Work } from '../../database/work.ts';
import { addToMailing } from '../broadcasts/mailing.ts';
import type { LiveGraph } from './live-graph.ts';
import { setProperty } from './set-property.ts';
import type { Step, Traveller, Walked } from './walk.ts';

export interface Version {
  readonly workflow_id: string;
  readonly version: number;
  readonly webinar_id: string | null;
  readonly graph: LiveGraph;
}

/** Writes down where runs of one version went: where they wait, what they did, what they set and send. */
export async function writeWalked(
  work: Work,
  { workflow_id, version, webinar_id, graph }: Version,
  { steps, waiting, ended, acted }: Walked,
  firstSteps: ReadonlyMap<string, Step | undefined>,
): Promise<void> {
  await moveWaits(work, waiting);
  await takeWaits(work, ended);
  await appendSteps(work, steps, firstSteps, ended);
  for (const [id, travellers] of acted) {
    const node = graph.nodes[id];
    if (node?.type === 'set_property') await setProperty(work, node, travellers);
  }
  // Their messages last, and in one order: others want the rows that this holds until the end.
  for (const [id, travellers] of [...acted].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const node = graph.nodes[id];
    if (node?.type === 'send')
      await addToMailing(
        work,
        { workflow_id, version, node: id, webinar_id, message: node.message },
        travellers,
      );
  }
}

/** Somebody may have been merged after their wait was read and before they were held: then all of it is done again. */
function insist(affected: bigint | undefined, wanted: number): void {
  if (affected !== BigInt(wanted)) throw new TryAgain();
}

/** A run takes its wait along, to the node where it stands next. */
async function moveWaits({ db, org }: Work, waiting: Walked['waiting']): Promise<void> {
  if (waiting.length === 0) return;
  const waits = waiting.map(({ run_id, person_id, node, at, wait, due }) => ({
    run_id,
    person_id,
    node,
    began_at: at,
    ...(typeof wait.for === 'number' ? { due_at: due } : wait.for),
  }));
  const { numAffectedRows } = await sql`
    update waits w set node = n.node, anchor = n.anchor, offset_ms = n.offset_ms, due_at = n.due_at, began_at = n.began_at
    from json_to_recordset(${JSON.stringify(waits)}::json) as n(run_id uuid, person_id uuid, node text, anchor text,
      offset_ms bigint, due_at timestamptz, began_at timestamptz)
    where w.org_id = ${org} and w.run_id = n.run_id and w.person_id = n.person_id`.execute(db);
  insist(numAffectedRows, waits.length);
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
  insist(numAffectedRows, runs.length);
}

/** A run that goes round for years keeps its last steps. */
const appended = sql`case when jsonb_array_length(r.path) < 200 then r.path || n.steps
  else jsonb_path_query_array(r.path || n.steps, '$[last - 199 to last]') end`;

async function appendSteps(
  { db, org, now }: Work,
  steps: Walked['steps'],
  firstSteps: ReadonlyMap<string, Step | undefined>,
  ended: readonly Traveller[],
): Promise<void> {
  const over = new Set(ended.map(({ run_id }) => run_id));
  // Most took the same steps at the same moments: those are written down once, and each run says which it took.
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

/** Runs that end where they wait. */
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
