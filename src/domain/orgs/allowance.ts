import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../database/pool.ts';
import type { Work } from '../../database/work.ts';
import type { OrgId } from '../../kernel/ids.ts';

export type Channel = 'email' | 'sms';

/** The first day of the calendar month of a moment (UTC). */
export const monthOf = (at: Date) =>
  sql<Date>`date_trunc('month', ${at}::timestamptz at time zone 'UTC')::date`;

export const Allowance = z.object({ per_month: z.int(), used: z.int(), remaining: z.int() });

/** What an organization may still send on a channel in the calendar month of a moment (UTC); undefined: no limit. */
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
        .on('u.month', '=', monthOf(at)),
    )
    .select(['a.per_month', 'u.used'])
    .where('a.org_id', '=', work.org)
    .where('a.channel', '=', channel)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const used = row.used ?? 0;
  return { per_month: row.per_month, used, remaining: Math.max(0, row.per_month - used) };
}

/** Takes messages from this month's allowance, as many as wanted or as are left. Returns how many it granted. */
export async function takeAllowance(
  { db, org, now }: Work,
  channel: Channel,
  wanted: number,
): Promise<number> {
  if (wanted === 0) return 0;
  const { rows } = await sql<{ used: number; per_month: number | null }>`
    insert into allowance_uses as u (org_id, channel, month, used)
    values (${org}, ${channel}, ${monthOf(now)}, ${wanted})
    on conflict (org_id, channel, month) do update set used = u.used + excluded.used
    returning used, (select per_month from allowances where org_id = ${org} and channel = ${channel})`.execute(
    db,
  );
  const { used, per_month } = rows[0]!;
  const over = per_month === null ? 0 : Math.min(wanted, Math.max(0, used - per_month));
  await giveBackAllowance({ db, org, now }, channel, over);
  return wanted - over;
}

/** Gives back what was taken for messages that did not go out, to the month of `now`: the one it was taken from. */
export async function giveBackAllowance(
  { db, org, now }: Pick<Work, 'db' | 'org' | 'now'>,
  channel: Channel,
  unused: number,
): Promise<void> {
  if (unused === 0) return;
  await sql`
    update allowance_uses set used = greatest(0, used - ${unused})
    where org_id = ${org} and channel = ${channel} and month = ${monthOf(now)}`.execute(db);
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
