import { sql } from 'kysely';
import { stayingAs } from '../../database/hold-people.ts';
import type { Work } from '../../database/work.ts';
import { newId } from '../../kernel/ids.ts';
import { enrollOnEvents, isHeard } from '../triggers/enroll.ts';

/** An event on a person's timeline. Names that begin with $svc_ are the service's own. */
export interface NewEvent {
  readonly person_id: string;
  readonly name: string;
  readonly custom_properties: Readonly<Record<string, unknown>>;
  readonly occurred_at: Date;
  /** The caller's own id. An event whose id is known is not written again. */
  readonly event_id?: string | undefined;
}

/**
 * Writes events onto timelines, in one statement, and begins the runs that listen for them. Skips events of people who
 * are gone. Locks people before it writes rows that refer to them, so a concurrent deletion skips that person instead
 * of failing everything; in the order of ids, as every caller that locks several. Returns how many were written.
 */
export async function writeEvents(work: Work, events: readonly NewEvent[]): Promise<number> {
  if (events.length === 0) return 0;
  const sent = events.map((event) => ({ ...event, id: newId(work.now) }));
  const names = [...new Set(events.map(({ name }) => name))];
  const { rows } = await sql<{ id: string; is_heard: boolean }>`
    with sent as materialized (
      select e.* from jsonb_to_recordset(${JSON.stringify(sent)}::jsonb)
        as e(id uuid, person_id uuid, name text, custom_properties jsonb, occurred_at timestamptz, event_id text)
      join people p on p.org_id = ${work.org} and p.id = e.person_id
      order by p.id, e.event_id, e.id
      ${stayingAs('p')}
    ), named as (
      insert into named_events (org_id, event_id, person_id, id)
      select ${work.org}, event_id, person_id, id from sent where event_id is not null
      on conflict (org_id, event_id) do nothing
      returning id
    )
    insert into events (org_id, id, person_id, name, custom_properties, occurred_at, created_at, event_id)
    select ${work.org}, id, person_id, name, custom_properties, occurred_at, ${work.now}, event_id
    from sent where event_id is null or id in (select id from named)
    returning id, (${isHeard(work, names)}) as is_heard`.execute(work.db);
  if (rows[0]?.is_heard === true) {
    await enrollOnEvents(
      work,
      rows.map(({ id }) => id),
    );
  }
  return rows.length;
}
