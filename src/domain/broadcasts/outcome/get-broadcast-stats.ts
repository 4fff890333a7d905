import { sql } from 'kysely';
import { z } from 'zod';
import { defineOperation, type Work } from '../../../database/work.ts';
import { BroadcastId } from '../../../kernel/ids.ts';
import { MomentOut } from '../../../kernel/moment.ts';
import { readSettings } from '../../orgs/settings.ts';
import { statuses } from '../draft/broadcast.ts';
import { requireBroadcast } from '../draft/broadcast-rows.ts';
import { outcomes, type Outcome } from './outcome.ts';

const responses = ['delivered', 'opened', 'clicked', 'unsubscribed', 'bounced', 'complained'] as const;
const totals = ['recipients', ...outcomes, ...responses] as const;

const counted = <const Names extends readonly string[]>(names: Names) =>
  z.object(Object.fromEntries(names.map((name) => [name, z.int()])) as Record<Names[number], z.ZodInt>);

const Day = z.object({ date: z.iso.date(), sent: z.int(), opened: z.int(), clicked: z.int() });
const Reasons = z.array(z.object({ reason: z.string(), count: z.int() }));
type Reasons = z.input<typeof Reasons>;
const Link = z.object({
  url: z.string().nullable().describe('null: the address is a value of each person.'),
  placeholder: z.string().nullable(),
  clicked: z.int().describe('Out of how many messages it was followed.'),
  clicks: z.int(),
});

export const getBroadcastStats = defineOperation({
  name: 'get_broadcast_stats',
  title: 'Read how a broadcast went',
  summary: 'Totals of a broadcast, by day, where every recipient ended up and why, and clicks by link.',
  permission: 'broadcasts.read',
  effect: 'read',
  faces: { rest: ['GET /v1/broadcasts/:broadcast_id/stats'], tool: true },
  input: z.strictObject({ broadcast_id: BroadcastId }),
  output: z.object({
    broadcast_id: BroadcastId,
    status: z.enum(statuses),
    as_of: MomentOut,
    totals: counted(totals),
    per_day: z.array(Day),
    outcomes: counted(outcomes),
    skipped: Reasons,
    failed: Reasons,
    uncertain: Reasons,
    links: z.array(Link),
    balanced: z.boolean(),
  }),
  handle: async (work, { broadcast_id }) => {
    const row = await requireBroadcast(work, broadcast_id);
    const pick = <Name extends (typeof totals)[number]>(names: readonly Name[]) =>
      Object.fromEntries(names.map((name) => [name, row[name]])) as Record<Name, number>;
    const ended = pick(outcomes);
    return {
      broadcast_id,
      status: row.status as (typeof statuses)[number],
      as_of: work.now.toISOString(),
      totals: pick(totals),
      per_day: await readDays(work, broadcast_id),
      outcomes: ended,
      ...(await readReasons(work, broadcast_id)),
      links: await readLinks(work, broadcast_id),
      balanced: row.recipients === outcomes.reduce((sum, outcome) => sum + ended[outcome], 0),
    };
  },
});

/** Days in the organization's time zone; days without events are left out. */
async function readDays(work: Work, broadcast: BroadcastId): Promise<z.input<typeof Day>[]> {
  const { timezone } = await readSettings(work);
  const { rows } = await sql<z.input<typeof Day>>`
    select (quarter at time zone ${timezone})::date::text as date,
      coalesce(sum(count) filter (where kind = 'sent'), 0)::bigint as sent,
      coalesce(sum(count) filter (where kind = 'opened'), 0)::bigint as opened,
      coalesce(sum(count) filter (where kind = 'clicked'), 0)::bigint as clicked
    from broadcast_tallies where org_id = ${work.org} and broadcast_id = ${broadcast}
      and kind in ('sent', 'opened', 'clicked')
    group by 1 order by 1`.execute(work.db);
  return rows;
}

/** How many for each reason, the most frequent first. */
async function readReasons({ db, org }: Work, broadcast: BroadcastId) {
  const rows = await db
    .selectFrom('broadcast_reasons')
    .select(['outcome', 'reason', 'count'])
    .where('org_id', '=', org)
    .where('broadcast_id', '=', broadcast)
    .where('count', '>', 0)
    .orderBy('count', 'desc')
    .orderBy('reason')
    .execute();
  const of = (outcome: Outcome): Reasons =>
    rows.filter((row) => row.outcome === outcome).map(({ reason, count }) => ({ reason, count }));
  return { skipped: of('skipped'), failed: of('failed'), uncertain: of('uncertain') };
}

/** The links in the order of the message. */
const readLinks = ({ db, org }: Work, broadcast: BroadcastId): Promise<z.input<typeof Link>[]> =>
  db
    .selectFrom('broadcast_links')
    .select(['url', 'placeholder', 'clicked', 'clicks'])
    .where('org_id', '=', org)
    .where('broadcast_id', '=', broadcast)
    .orderBy('link')
    .execute();
