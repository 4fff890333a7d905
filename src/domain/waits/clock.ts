import { sql } from 'kysely';
import { holdThing, shareThing } from '../../database/locks.ts';
import { addToOutbox } from '../../database/outbox.ts';
import type { Work } from '../../database/work.ts';

/**
 * A clock rings for many waits: those of one webinar, or those of an organization's runs without a webinar. A
 * transaction that relies on what sets the clock (a webinar's time, the existing waits) shares it; one that changes
 * that holds it alone. Unlike row locks, these are granted in the order of the requests, so registrations do not starve
 * a reschedule.
 */
export const shareClock = ({ db }: Work, clock: string): Promise<void> => shareThing(db, 'clock', clock);

export const holdClock = ({ db }: Work, clock: string): Promise<void> => holdThing(db, 'clock', clock);

/** Sorts clocks into lock order: those of webinars by id, then the organization's, which registering takes last. */
export const inClockOrder = ({ org }: Work, clocks: Iterable<string>): string[] => {
  const ids = [...clocks].toSorted();
  return [...ids.filter((id) => id !== org), ...ids.filter((id) => id === org)];
};

/** Makes the clock ring by the moment a new wait is due. Mostly it does already, and nothing is written. */
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
 * Sets the clock by the existing waits. The caller holds it alone. During a release this does nothing: the release sets
 * the clock when nothing more is due.
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
  addToOutbox(work, 'WaitClock', { clock_id: clock, at: at.toISOString() });

/**
 * When the first of a clock's waits is due, in whole milliseconds, as the engine receives it. All waits of a canceled
 * webinar, held or not, are due since its cancellation.
 */
export const earliest = ({ org }: Work, clock: string) => {
  const any = sql`from waits w where w.org_id = ${org} and w.clock_id = ${clock}`;
  const waiting = sql`${any} and not w.held`;
  const anchored = (anchor: 'start' | 'end') => sql`(
    select ${momentOf(anchor)} + w.offset_ms * interval '1 millisecond'
    from (select w.offset_ms ${waiting} and w.anchor = ${anchor} order by w.offset_ms limit 1) w
    join webinars t on t.org_id = ${org} and t.id = ${clock})`;
  // Queries each kind separately, because each has its own index.
  const canceled = sql`(
    select t.canceled_at from webinars t
    where t.org_id = ${org} and t.id = ${clock} and t.canceled_at is not null
      and (exists (select 1 ${any} and w.anchor is null) or exists (select 1 ${any} and w.anchor is not null)))`;
  return sql<Date | null>`date_trunc('milliseconds', least(
    ${canceled}, (select w.due_at ${waiting} and w.anchor is null order by w.due_at limit 1),
    ${anchored('start')}, ${anchored('end')}))`;
};

/** Assumes an hour for a webinar of unknown length, as its calendar entry does. */
export const momentOf = (anchor: 'start' | 'end') =>
  anchor === 'start'
    ? sql`t.start_time`
    : sql`t.start_time + coalesce(t.duration_minutes, 60) * interval '1 minute'`;
