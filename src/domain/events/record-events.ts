import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import { newId } from '../../kernel/ids.ts';
import { enrollOnEvents } from '../triggers/enroll.ts';

/** What stands on a person's timeline. Names that begin with $svc_ are the service's own. */
export interface NewEvent {
  readonly person_id: string;
  readonly name: string;
  readonly custom_properties: Readonly<Record<string, unknown>>;
  readonly occurred_at: Date;
  /** What its sender calls it. One that is there already is not written again. */
  readonly event_id?: string | undefined;
}

/**
 * Writes events onto timelines, in one statement, and begins the runs that listen for them. Somebody who is gone has
 * none: such events are left out. People are held before the rows refer to them, so one who is deleted at this moment
 * is missed instead of failing everything; in the order of their ids, as by everybody who holds several. Answers how
 * many were written.
 */
export async function recordEvents(work: Work, events: readonly NewEvent[]): Promise<number> {
  if (events.length === 0) return 0;
  const sent = events.map((event) => ({ ...event, id: newId(work.now) }));
  const { rows } = await sql<{ id: string }>`
    insert into events (org_id, id, person_id, name, custom_properties, occurred_at, created_at, event_id)
    select p.org_id, e.id, p.id, e.name, e.custom_properties, e.occurred_at, ${work.now}, e.event_id
    from jsonb_to_recordset(${JSON.stringify(sent)}::jsonb)
      as e(id uuid, person_id uuid, name text, custom_properties jsonb, occurred_at timestamptz, event_id text)
    join people p on p.org_id = ${work.org} and p.id = e.person_id
    order by p.id, e.event_id, e.id
    for key share of p
    on conflict (org_id, event_id) where event_id is not null do nothing
    returning id`.execute(work.db);
  if (rows.length > 0) {
    await enrollOnEvents(
      work,
      rows.map(({ id }) => id),
    );
  }
  return rows.length;
}
