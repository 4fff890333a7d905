import { sql } from 'kysely';
import { addToOutbox } from '../../database/outbox.ts';
import type { Work } from '../../database/work.ts';

/**
 * A clock rings for many waits: those of one webinar, or those of an organization's runs that have no webinar. Whoever
 * relies on what it is set by (a webinar's time, the waits there are) shares it; whoever changes that holds it alone.
 * Unlike row locks these are given in the order they were asked for, so a reschedule is not starved by registrations.
 */
export const shareClock = async ({ db }: Work, clock: string): Promise<void> =>
  void (await sql`select pg_advisory_xact_lock_shared(hashtextextended(${clock.toLowerCase()}, 0))`.execute(
    db,
  ));

export const holdClock = async ({ db }: Work, clock: string): Promise<void> =>
  void (await sql`select pg_advisory_xact_lock(hashtextextended(${clock.toLowerCase()}, 0))`.execute(db));

/** A wait was added that is due at a moment: the clock rings by then. Mostly it does already, and nothing is written. */
export async function wakeBy(work: Work, clock: string, due: Date): Promise<void> {
  const { db, org } = work;
  await shareClock(work, clock);
  const found = await db
    .selectFrom('wait_clocks')
    .select('next_at')
    .where('org_id', '=', org)
    .where('id', '=', clock)
    .where('next_at', '<=', due)
    .executeTakeFirst();
  if (found !== undefined) return;
  const { rows } = await sql`
    insert into wait_clocks as c (org_id, id, next_at) values (${org}, ${clock}, ${due})
    on conflict (org_id, id) do update set next_at = excluded.next_at where c.next_at > excluded.next_at
    returning 1`.execute(db);
  if (rows.length > 0) await tellClock(work, clock, due);
}

/**
 * Sets the clock by the waits there are. The caller holds it alone. While somebody is releasing, that is left to them:
 * they do it when nothing more is due.
 */
export async function setClock(work: Work, clock: string): Promise<Date | undefined> {
  const { db, org } = work;
  const { rows } = await sql<{ at: Date }>`
    update wait_clocks set next_at = coalesce(${earliest(work, clock)}, 'infinity')
    where org_id = ${org} and id = ${clock} and busy_by is null
    returning nullif(next_at, 'infinity') as at`.execute(db);
  const at = rows[0]?.at ?? undefined;
  if (at !== undefined) await tellClock(work, clock, at);
  return at;
}

const tellClock = (work: Work, clock: string, at: Date): Promise<void> =>
  addToOutbox(work, {
    service: 'WaitClock',
    handler: 'ring',
    payload: { org_id: work.org, clock_id: clock, at: at.toISOString() },
  });

/**
 * When the first of a clock's waits is due. In whole milliseconds, as the engine is told. Those of a canceled webinar
 * are all due since then, whether held or not.
 */
export const earliest = ({ org }: Work, clock: string) => {
  const any = sql`from waits w where w.org_id = ${org} and w.clock_id = ${clock}`;
  const waiting = sql`${any} and not w.held`;
  const anchored = (anchor: 'start' | 'end') => sql`(
    select ${momentOf(anchor)} + w.offset_ms * interval '1 millisecond'
    from (select w.offset_ms ${waiting} and w.anchor = ${anchor} order by w.offset_ms limit 1) w
    join webinars t on t.org_id = ${org} and t.id = ${clock})`;
  // Asked of either kind by itself, as their indexes are.
  const canceled = sql`(
    select t.canceled_at from webinars t
    where t.org_id = ${org} and t.id = ${clock} and t.canceled_at is not null
      and (exists (select 1 ${any} and w.anchor is null) or exists (select 1 ${any} and w.anchor is not null)))`;
  return sql<Date | null>`date_trunc('milliseconds', least(
    ${canceled}, (select w.due_at ${waiting} and w.anchor is null order by w.due_at limit 1),
    ${anchored('start')}, ${anchored('end')}))`;
};

/** A webinar of unknown length is taken to last an hour, as its calendar entry does. */
export const momentOf = (anchor: 'start' | 'end') =>
  anchor === 'start'
    ? sql`t.start_time`
    : sql`t.start_time + coalesce(t.duration_minutes, 60) * interval '1 minute'`;
