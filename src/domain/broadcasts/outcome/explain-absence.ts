import type { Work } from '../../../database/work.ts';
import type { PersonId, SegmentId } from '../../../kernel/ids.ts';
import { readFilters } from '../../filters/read-filters.ts';
import { filtersOf, findSegment } from '../../filters/stored-segment.ts';
import { audienceOf, exclusion } from '../plan/audience.ts';
import type { StoredBroadcast } from '../draft/broadcast-rows.ts';
import { draftOf } from '../draft/draft-of-row.ts';
import type { Step } from './explain-row.ts';
import { wordsFor } from './outcome-words.ts';

/** Whether a person who is not in the ledger would get it if it were sent now. */
export type Standing = 'reachable' | 'excluded' | 'outside';

/** A person's current standing in an audience, with steps that explain it. */
export async function explainStanding(
  work: Work,
  broadcast: StoredBroadcast,
  person: PersonId,
): Promise<{ standing: Standing; steps: Step[] }> {
  const draft = draftOf(broadcast);
  const segment =
    draft.segment_id === null ? undefined : await findSegment(work, draft.segment_id as SegmentId);
  const conditions =
    segment === undefined ? undefined : (await readFilters(work, filtersOf(segment))).conditions;
  const { people } = audienceOf(work, draft, conditions);
  const found = await exclusion(
    work,
    people.where('people.id', '=', person),
    draft.channel,
  ).executeTakeFirst();
  if (found === undefined) {
    const detail = await whyOutside(work, broadcast, person, segment?.name);
    return { standing: 'outside', steps: [{ at: null, what: 'outside_now', detail }] };
  }
  const inside: Step = { at: null, what: 'inside_now', detail: 'They are in the audience now.' };
  if (found.excluded === null) return { standing: 'reachable', steps: [inside] };
  const why = wordsFor('skipped', found.excluded, draft.channel);
  const detail = `If it were sent now they would be left out: ${why}.`;
  return { standing: 'excluded', steps: [inside, { at: null, what: 'excluded_now', detail }] };
}

async function whyOutside(
  work: Work,
  { audience, segment_id, webinar_id, webinar_audience }: StoredBroadcast,
  person: PersonId,
  segmentName: string | undefined,
): Promise<string> {
  if (audience === 'everyone') return 'They have no email address now; everyone means whoever has one.';
  if (audience === 'segment') {
    return segment_id === null
      ? 'The segment it was for is gone, so nobody can tell who is in it.'
      : `They do not meet the conditions of the segment “${segmentName ?? ''}” now.`;
  }
  const registration = await work.db
    .selectFrom('registrations')
    .select('attended')
    .where('org_id', '=', work.org)
    .where('webinar_id', '=', webinar_id)
    .where('person_id', '=', person)
    .executeTakeFirst();
  if (registration === undefined) return 'They are not registered for the webinar now.';
  const recorded = registration.attended ? 'as having attended' : 'as not having attended';
  const wanted = webinar_audience === 'attended' ? 'attended' : 'did not';
  return `They are registered for the webinar and recorded ${recorded}; it is for those who ${wanted}.`;
}

/** When the person was added or registered, if after a moment: that alone explains the absence. */
export async function joinedAfter(
  { db, org }: Work,
  { audience, webinar_id }: StoredBroadcast,
  person: PersonId,
  moment: Date,
): Promise<Step[]> {
  const { created_at } = await db
    .selectFrom('people')
    .select('created_at')
    .where('org_id', '=', org)
    .where('id', '=', person)
    .executeTakeFirstOrThrow();
  if (created_at > moment) {
    return [{ at: created_at, what: 'added_later', detail: 'They were added after that.' }];
  }
  if (audience !== 'webinar') return [];
  const registration = await db
    .selectFrom('registrations')
    .select('registered_at')
    .where('org_id', '=', org)
    .where('webinar_id', '=', webinar_id)
    .where('person_id', '=', person)
    .executeTakeFirst();
  if (registration === undefined || registration.registered_at <= moment) return [];
  return [
    { at: registration.registered_at, what: 'registered_later', detail: 'They registered after that.' },
  ];
}
