import { sql } from 'kysely';
import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { PersonId } from '../../kernel/ids.ts';
import { pageInput, pageOutput } from '../../kernel/page.ts';
import { Event, EventName, toEvent } from '../timeline/event.ts';
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
    let events = work.db
      .selectFrom('events')
      .where('org_id', '=', work.org)
      .where('person_id', '=', person_id);
    if (event_name !== undefined) events = events.where('name', '=', event_name);
    const { total } = await events.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
    const rows = await events
      .select(['id', 'name', 'custom_properties', 'occurred_at', 'created_at'])
      .orderBy('occurred_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    return { events: rows.map(toEvent), total, limit, offset };
  },
});
