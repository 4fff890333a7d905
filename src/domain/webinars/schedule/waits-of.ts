import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { WebinarId } from '../../../kernel/ids.ts';
import { momentOf } from '../../waits/clock.ts';

export type Anchor = 'start' | 'end';

/** How many pending waits are timed from a webinar's start or end, including those that a pause holds back. */
export async function countAnchored({ db, org }: Work, webinar: WebinarId, anchor?: Anchor): Promise<number> {
  const { count } = await db
    .selectFrom('waits')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('org_id', '=', org)
    .where('clock_id', '=', webinar)
    .where('anchor', 'is not', null)
    .$if(anchor !== undefined, (query) => query.where('anchor', '=', anchor!))
    .executeTakeFirstOrThrow();
  return count;
}

/** How many runs of a webinar are under way: each stands at exactly one wait, of any kind. */
export async function countWaiting(work: Work, webinar: WebinarId): Promise<number> {
  const { count } = await work.db
    .selectFrom('waits')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('org_id', '=', work.org)
    .where('clock_id', '=', webinar)
    .where('anchor', 'is', null) // counted separately, because each kind has its own index
    .executeTakeFirstOrThrow();
  return count + (await countAnchored(work, webinar));
}

/** Waits that end together: those of one node of one version. */
export interface WaitGroup {
  readonly workflow_id: string;
  readonly workflow_name: string;
  readonly version: number;
  readonly node: string;
  readonly anchor: Anchor;
  readonly offset_ms: number;
  readonly count: number;
  readonly from: Date;
  readonly to: Date;
  readonly past: boolean;
  /** The node has its own edge for runs that come too late. */
  readonly hasPastEdge: boolean;
}

export interface WaitGroups {
  readonly groups: readonly WaitGroup[];
  readonly left_out: number;
  readonly waits: number;
  readonly past: number;
}

/**
 * A webinar's anchored waits as they would be with another start time, earliest first. The totals include the groups
 * left out.
 */
export async function groupAnchored(
  { db, org, now }: Work,
  webinar: WebinarId,
  movedByMs: number,
  most: number,
): Promise<WaitGroups> {
  interface Row extends WaitGroup {
    readonly all_groups: number;
    readonly all_waits: number;
    readonly all_past: number;
  }
  // Groups before joining: the groups are few, however many waits there are.
  const { rows } = await sql<Row>`
    with grouped as materialized (
      select w.workflow_id, w.version, w.node, w.anchor, w.offset_ms, count(*) as count
      from waits w
      where w.org_id = ${org} and w.clock_id = ${webinar} and w.anchor is not null
      group by 1, 2, 3, 4, 5
    ), timed as (
      select g.*, (case g.anchor when 'start' then ${momentOf('start')} else ${momentOf('end')} end)
        + g.offset_ms * interval '1 millisecond' as "from"
      from grouped g join webinars t on t.org_id = ${org} and t.id = ${webinar}
    ), moved as (
      select d.*, d."from" + ${movedByMs} * interval '1 millisecond' as "to" from timed d
    ), counted as (
      select m.*, m."to" < ${now} as past, count(*) over () as all_groups, sum(m.count) over ()::bigint as all_waits,
        (coalesce(sum(m.count) filter (where m."to" < ${now}) over (), 0))::bigint as all_past
      from moved m order by m."to", m.workflow_id, m.version, m.node, m.anchor limit ${most}
    )
    select c.*, f.name as workflow_name,
      v.graph -> 'nodes' -> c.node -> 'past' is distinct from v.graph -> 'nodes' -> c.node -> 'next' as "hasPastEdge"
    from counted c
    join workflows f on f.org_id = ${org} and f.id = c.workflow_id
    left join workflow_versions v on v.org_id = ${org} and v.workflow_id = c.workflow_id and v.version = c.version
    order by c."to", c.workflow_id, c.version, c.node, c.anchor`.execute(db);
  const [first] = rows;
  return {
    groups: rows,
    left_out: (first?.all_groups ?? 0) - rows.length,
    waits: first?.all_waits ?? 0,
    past: first?.all_past ?? 0,
  };
}
