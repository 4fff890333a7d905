import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import { inClockOrder, wakeBy } from '../waits/clock.ts';

/** Where a run stands before its first node. */
export const atTrigger = 'trigger';

export interface Registered {
  readonly person_id: string;
  readonly webinar_id: string;
  readonly registration_id: string;
  /** When its runs set out; later than now when something must arrive first, such as a personal link. */
  readonly at: Date;
}

/**
 * Begins a run in every live workflow that a registration triggers, once for each pair. Writes only rows: a run takes
 * its first step when its clock rings, so a registration waits for nothing. Returns how many began.
 */
export async function enrollRegistrant(work: Work, registered: Registered): Promise<number> {
  const { person_id, webinar_id, registration_id, at } = registered;
  const runs = sql`
    insert into workflow_runs (org_id, id, workflow_id, version, person_id, webinar_id, registration_id, started_at)
    select f.org_id, new_id(${work.now}), f.id, f.live_version, ${person_id}, ${webinar_id}, ${registration_id},
      ${work.now}
    from workflows f
    where ${listens(work, webinar_id)}
    on conflict do nothing
    returning id, person_id, workflow_id, version, webinar_id`;
  return setOut(work, runs, at);
}

/** In SQL, of workflows f: those that a registration for the webinar triggers. */
const listens = ({ org }: Work, webinar_id: string) => sql`
  f.org_id = ${org} and f.status = 'live' and f.trigger_kind = 'webinar_registration'
    and (f.trigger_webinar_id is null or f.trigger_webinar_id = ${webinar_id})`;

/** In SQL: whether enrolling a registrant would begin anything. Without it, registering saves a statement. */
export const isAwaited = (work: Work, webinar_id: string) => sql<boolean>`
  select exists (select from workflows f where ${listens(work, webinar_id)})`;

/** In SQL: whether any live workflow listens for an event of these names. Mostly none does. */
export const isHeard = ({ org }: Work, names: readonly string[]) => sql<boolean>`
  select exists (
    select from workflows
    where org_id = ${org} and status = 'live' and trigger_kind = 'event' and trigger_event = any(${names}))`;

/**
 * Begins a run for each of these events that a live workflow listens for. Takes a webinar only from the service's own
 * events, which callers cannot write.
 */
export async function enrollOnEvents(work: Work, ids: readonly string[]): Promise<number> {
  const runs = sql`
    insert into workflow_runs (org_id, id, workflow_id, version, person_id, webinar_id, event_id, started_at)
    select e.org_id, new_id(${work.now}), f.id, f.live_version, e.person_id, t.id, e.id, ${work.now}
    from events e
    join workflows f on f.org_id = e.org_id and f.status = 'live' and f.trigger_kind = 'event' and f.trigger_event = e.name
    left join webinars t on t.org_id = e.org_id and t.id = case
      when e.name like '$svc\\_webinar\\_%' then (e.custom_properties ->> 'webinar_id')::uuid end
    where e.org_id = ${work.org} and e.id = any(${ids}::uuid[])
    order by e.id
    on conflict do nothing
    returning id, person_id, workflow_id, version, webinar_id`;
  return setOut(work, runs, work.now);
}

/** Each run waits at its trigger until its clock rings. */
async function setOut(work: Work, runs: ReturnType<typeof sql>, at: Date): Promise<number> {
  const { rows } = await sql<{ clock_id: string }>`
    with begun as (${runs})
    insert into waits (org_id, run_id, clock_id, person_id, workflow_id, version, node, due_at, began_at)
    select ${work.org}, id, coalesce(webinar_id, ${work.org}), person_id, workflow_id, version, ${atTrigger}, ${at}, ${at}
    from begun
    returning clock_id`.execute(work.db);
  const clocks = new Set(rows.map(({ clock_id }) => clock_id));
  for (const clock of inClockOrder(work, clocks)) await wakeBy(work, clock, at);
  return rows.length;
}
