import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../database/pool.ts';
import type { Work } from '../../database/work.ts';
import type { OrgId } from '../../kernel/ids.ts';

export type Channel = 'email' | 'sms';

export const Allowance = z.object({ per_month: z.int(), used: z.int(), remaining: z.int() });

/** What an organization may still send on a channel in the calendar month of a moment (UTC); nothing: without end. */
export async function readAllowance(
  work: Work,
  channel: Channel,
  at: Date,
): Promise<z.input<typeof Allowance> | undefined> {
  const row = await work.db
    .selectFrom('allowances as a')
    .leftJoin('allowance_uses as u', (join) =>
      join
        .onRef('u.org_id', '=', 'a.org_id')
        .onRef('u.channel', '=', 'a.channel')
        .on('u.month', '=', sql<Date>`date_trunc('month', ${at}::timestamptz at time zone 'UTC')::date`),
    )
    .select(['a.per_month', 'u.used'])
    .where('a.org_id', '=', work.org)
    .where('a.channel', '=', channel)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const used = row.used ?? 0;
  return { per_month: row.per_month, used, remaining: Math.max(0, row.per_month - used) };
}

/** Sets how much an organization may send in a month; null lifts the limit. */
export async function setAllowance(
  db: Database,
  org: OrgId,
  channel: Channel,
  perMonth: number | null,
): Promise<void> {
  if (perMonth === null) {
    await db.deleteFrom('allowances').where('org_id', '=', org).where('channel', '=', channel).execute();
    return;
  }
  await db
    .insertInto('allowances')
    .values({ org_id: org, channel, per_month: perMonth })
    .onConflict((conflict) => conflict.columns(['org_id', 'channel']).doUpdateSet({ per_month: perMonth }))
    .execute();
}
