import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import type { Work } from '../../database/work.ts';
import { PersonId } from '../../kernel/ids.ts';
import { pageInput, pageOutput } from '../../kernel/page.ts';
import { Event, EventName, toEvent, type EventRow } from '../timeline/event.ts';
import { requirePerson } from '../identifiers/require-person.ts';

export const listPersonEvents = defineOperation({
  name: 'list_person_events',
  title: 'Read a timeline',
  summary: "What happened to a person and when, newest first: the service's own events and those sent in.",
  permission: 'people.read',
  effect: 'read',
  faces: { rest: ['GET /v1/people/:person_id/events'] },
  input: z.strictObject({
    person_id: PersonId,
    event_name: EventName.optional().describe('Only events of this name.'),
    ...pageInput,
  }),
  output: z.object({ events: z.array(Event), ...pageOutput }),
  handle: async (work, { person_id, event_name, limit, offset }) => {
    await requirePerson(work, person_id);
    const named = event_name === undefined ? sql`` : sql`where name = ${event_name}`;
    const sources = [told(work, person_id), sent(work, person_id)];
    const counts = sources.map((rows) => sql`(select count(*) from (${rows}) e ${named})`);
    const { rows: counted } = await sql<{ total: number }>`
      select ${sql.join(counts, sql` + `)} as total`.execute(work.db);
    // Each is cut by itself: only so many of either can be on the page.
    const newest = sql`order by occurred_at desc, id desc limit ${offset + limit}`;
    const parts = sources.map((rows) => sql`(select * from (${rows}) e ${named} ${newest})`);
    const { rows } = await sql<EventRow>`
      ${sql.join(parts, sql` union all `)} order by occurred_at desc, id desc limit ${limit} offset ${offset}`.execute(
      work.db,
    );
    return { events: rows.map(toEvent), total: counted[0]!.total, limit, offset };
  },
});

const told = ({ org }: Work, person: PersonId): RawBuilder<EventRow> => sql`
  select id, name, custom_properties, occurred_at, created_at from events
  where org_id = ${org} and person_id = ${person}`;

/** What a person was sent is in the ledger, and written nowhere else. The id of such an event is made of the row's. */
const sent = ({ org }: Work, person: PersonId): RawBuilder<EventRow> => sql`
  select ('00000000-0000-8000-8' || overlay(lpad(to_hex(d.id), 15, '0') placing '-' from 4 for 0))::uuid as id,
    case b.channel when 'email' then '$svc_email_sent' else '$svc_text_sent' end as name,
    case when b.workflow_id is null then jsonb_build_object('broadcast_id', b.id)
      else jsonb_build_object('workflow_id', b.workflow_id, 'node', b.node) end
      || case b.channel when 'email' then jsonb_build_object('subject', b.subject) else '{}' end as custom_properties,
    d.sent_at as occurred_at, d.sent_at as created_at
  from deliveries d join broadcasts b on b.org_id = d.org_id and b.id = d.broadcast_id
  where d.org_id = ${org} and d.person_id = ${person} and d.sent_at is not null`;
