import { sql } from 'kysely';
import { z } from 'zod';
import type { Work } from '../../../database/work.ts';
import type { WorkflowId } from '../../../kernel/ids.ts';
import { atTrigger } from '../../triggers/enroll.ts';
import type { LiveGraph } from '../graph/live-graph.ts';
import { runOf } from '../nodes/index.ts';

const totals = ['recipients', 'sent', 'skipped', 'failed', 'uncertain', 'opened', 'clicked'] as const;
type Totals = Record<(typeof totals)[number], number>;

/** The counts of one node, over all versions that have a node of this name. */
export const NodeCounts = z
  .object({
    id: z.string().describe('trigger: before the first node.'),
    waiting: z.int(),
    messages: z
      .object(Object.fromEntries(totals.map((name) => [name, z.int()])) as Record<keyof Totals, z.ZodInt>)
      .nullable(),
  })
  .meta({ id: 'WorkflowNodeCounts' });

/** The trigger and every node of the live version, in the order the draft has them. */
export async function readNodes(
  work: Work,
  workflow: WorkflowId,
  live: LiveGraph,
  { waiting, order }: { readonly waiting: ReadonlyMap<string, number>; readonly order: readonly string[] },
): Promise<z.input<typeof NodeCounts>[]> {
  const messages = await sumMessages(work, workflow);
  return [
    { id: atTrigger, waiting: waiting.get(atTrigger) ?? 0, messages: null },
    ...inOrder(Object.keys(live.nodes), order).map((id) => ({
      id,
      waiting: waiting.get(id) ?? 0,
      messages: countsMessages(live, id) ? (messages.get(id) ?? nothing) : null,
    })),
  ];
}

const countsMessages = ({ nodes }: LiveGraph, id: string): boolean => {
  const node = nodes[id];
  return node !== undefined && runOf(node).counts.messages;
};

/** The database does not keep the key order of JSON. Nodes that the draft no longer has come last. */
const inOrder = (ids: readonly string[], order: readonly string[]): string[] => {
  const live = new Set(ids);
  return [...new Set([...order.filter((id) => live.has(id)), ...ids])];
};

/** How many runs wait at each node. Every run under way has one wait, so the sum is the number of runs. */
export async function countWaiting({ db, org }: Work, workflow: WorkflowId): Promise<Map<string, number>> {
  const { rows } = await sql<{ node: string; waiting: number }>`
    select node, count(*) as waiting from waits where org_id = ${org} and workflow_id = ${workflow} group by node`.execute(
    db,
  );
  return new Map(rows.map(({ node, waiting }) => [node, waiting]));
}

const nothing: Totals = {
  recipients: 0,
  sent: 0,
  skipped: 0,
  failed: 0,
  uncertain: 0,
  opened: 0,
  clicked: 0,
};

/** Sums the ledger's totals for each node and webinar, which are few. */
async function sumMessages({ db, org }: Work, workflow: WorkflowId): Promise<Map<string, Totals>> {
  const sums = totals.map((name) => sql`sum(${sql.ref(name)})::bigint as ${sql.ref(name)}`);
  const { rows } = await sql<Totals & { node: string }>`
    select node, ${sql.join(sums)} from broadcasts
    where org_id = ${org} and workflow_id = ${workflow} group by node`.execute(db);
  return new Map(rows.map(({ node, ...sum }) => [node, sum]));
}
