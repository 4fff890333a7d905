import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import { newId } from '../../kernel/ids.ts';

/** What stands on a person's timeline. Names that begin with $svc_ are the service's own. */
export interface NewEvent {
  readonly person_id: string;
  readonly name: string;
  readonly custom_properties: Readonly<Record<string, unknown>>;
  readonly occurred_at: Date;
}

/**
 * Writes events onto timelines, in one statement. Somebody who is gone has none: such events are left out. People are
 * held before the rows refer to them, so one who is deleted at this moment is missed instead of failing everything; in
 * the order of their ids, as by everybody who holds several.
 */
export async function recordEvents(work: Work, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => ({ ...event, id: newId(work.now) }));
  await sql`
    insert into events (org_id, id, person_id, name, custom_properties, occurred_at, created_at)
    select p.org_id, e.id, p.id, e.name, e.custom_properties, e.occurred_at, ${work.now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as e(id uuid, person_id uuid, name text, custom_properties jsonb, occurred_at timestamptz)
    join people p on p.org_id = ${work.org} and p.id = e.person_id
    order by p.id, e.id
    for key share of p`.execute(work.db);
}
