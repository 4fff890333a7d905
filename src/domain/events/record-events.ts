import { z } from 'zod';
import { TryAgain } from '../../database/org-transaction.ts';
import { defineOperation, type Work } from '../../database/work.ts';
import { invalidRequest } from '../../kernel/failure.ts';
import type { PersonId } from '../../kernel/ids.ts';
import { writeEvents } from '../timeline/write-events.ts';
import { compareAll } from '../identifiers/compare-identifiers.ts';
import { personNotFound } from '../identifiers/require-person.ts';
import { identifiersOf } from '../people/identify/find-or-create.ts';
import { findOrCreateMany } from '../people/identify/find-or-create-many.ts';
import { namesSomebody, SentEvent, sentEventFields, personRequired } from './sent-event.ts';

const mostEvents = 500;
const aDay = 24 * 60 * 60_000;

export const recordEvents = defineOperation({
  name: 'record_events',
  title: 'Record events',
  summary:
    'Write events onto the timelines of people: one, or up to 500 in `events`; all or none. Whoever is not known yet ' +
    'is created; nobody is merged. Events start the workflows that listen for them.',
  permission: 'events.write',
  effect: 'add',
  faces: { rest: ['POST /v1/events'] },
  input: z
    .strictObject({
      ...sentEventFields,
      event_name: sentEventFields.event_name.optional(),
      events: z.array(SentEvent).min(1).max(mostEvents).optional().describe('Instead of the fields of one.'),
    })
    .refine(
      ({ events, ...one }) =>
        (one.event_name === undefined) === (events !== undefined) &&
        (events === undefined || Object.values(one).every((value) => value === undefined)),
      'Send event_name and the other fields of one event, or events and nothing else.',
    )
    .refine(({ events, ...one }) => events !== undefined || namesSomebody(one), personRequired),
  output: z.object({
    recorded: z.int().describe('How many are new.'),
    duplicates: z.int().describe('How many had an event_id that was there already.'),
  }),
  handle: async (work, { events, ...one }) => {
    const sent = events ?? [one as SentEvent];
    refuseFuture(work, sent, events === undefined ? '' : '/events');
    const fresh = await leaveOutKnown(work, sent);
    const people = await findPeople(work, fresh);
    const recorded = await writeEvents(
      work,
      fresh.map((event, index) => ({
        person_id: people[index]!,
        name: event.event_name,
        custom_properties: event.custom_properties ?? {},
        occurred_at: event.occurred_at ?? work.now,
        event_id: event.event_id,
      })),
    );
    // Since the lookup a person was removed, or another call recorded one of these events. The next try sees which.
    if (recorded !== fresh.length) throw new TryAgain();
    if (recorded > 0) work.touched['person_ids'] = [...new Set(people)];
    return { recorded, duplicates: sent.length - recorded };
  },
});

function refuseFuture({ now }: Work, sent: readonly SentEvent[], where: string): void {
  const errors = sent.flatMap(({ occurred_at }, index) =>
    occurred_at !== undefined && occurred_at.getTime() > now.getTime() + aDay
      ? [
          {
            pointer: `${where === '' ? '' : `${where}/${index}`}/occurred_at`,
            code: 'too_late',
            detail: 'Must not be more than a day in the future.',
          },
        ]
      : [],
  );
  if (errors.length > 0) throw invalidRequest(errors.slice(0, 20));
}

/** Keeps the first of several events with one event_id, and none recorded before. The others create no person. */
async function leaveOutKnown(work: Work, sent: readonly SentEvent[]): Promise<SentEvent[]> {
  const ids = sent.flatMap(({ event_id }) => event_id ?? []);
  if (ids.length === 0) return [...sent];
  const rows = await work.db
    .selectFrom('named_events')
    .select('event_id')
    .where('org_id', '=', work.org)
    .where('event_id', 'in', ids)
    .execute();
  const known = new Set(rows.map(({ event_id }) => event_id));
  return sent.filter(({ event_id }) => {
    if (event_id === undefined) return true;
    if (known.has(event_id)) return false;
    known.add(event_id);
    return true;
  });
}

/** The person of each event, in the order of the events. */
async function findPeople(work: Work, events: readonly SentEvent[]): Promise<PersonId[]> {
  // As ids are stored, however they were written.
  const ids = events.map(({ person_id }) => person_id?.toLowerCase() as PersonId | undefined);
  const named = [...new Set(ids.flatMap((id) => id ?? []))];
  await requirePeople(work, named);
  const others = events.filter(({ person_id }) => person_id === undefined);
  const sent = await compareAll(work, others.map(identifiersOf));
  const found = (await findOrCreateMany(work, sent, named)).values();
  return ids.map((id) => id ?? found.next().value!);
}

async function requirePeople(work: Work, ids: readonly PersonId[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await work.db
    .selectFrom('people')
    .select('id')
    .where('org_id', '=', work.org)
    .where('id', 'in', ids)
    .execute();
  const there = new Set(rows.map(({ id }) => id));
  const missing = ids.find((id) => !there.has(id));
  if (missing !== undefined) throw await personNotFound(work, missing);
}
