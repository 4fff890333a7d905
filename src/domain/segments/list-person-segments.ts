import { z } from 'zod';
import { defineOperation, type Work } from '../../database/work.ts';
import { PersonId, type SegmentId } from '../../kernel/ids.ts';
import type { Condition } from '../filters/condition.ts';
import { whereMember } from '../filters/filter-to-sql.ts';
import { conditionsOf } from '../filters/read-filters.ts';
import { filtersOf } from '../filters/stored-segment.ts';
import { requirePerson } from '../identifiers/require-person.ts';
import { Segment } from './segment.ts';

const most = 200;
/** Segments that one statement asks about, so that it is planned in some milliseconds. */
const together = 25;

export const listPersonSegments = defineOperation({
  name: 'list_person_segments',
  title: 'List the segments of a person',
  summary: `The segments that a person is in at this moment, of the newest ${most}.`,
  permission: 'people.read',
  effect: 'read',
  faces: { rest: ['GET /v1/people/:person_id/segments'] },
  input: z.strictObject({ person_id: PersonId }),
  output: z.object({
    segments: z.array(Segment.pick({ id: true, name: true, color: true, is_system: true })),
  }),
  handle: async (work, { person_id }) => {
    await requirePerson(work, person_id);
    const rows = await work.db
      .selectFrom('segments')
      .select(['id', 'name', 'color', 'preset', 'filters'])
      .where('org_id', '=', work.org)
      .orderBy('created_at', 'desc')
      .orderBy('name')
      .orderBy('id')
      .limit(most)
      .execute();
    const conditions = await conditionsOf(work, rows.map(filtersOf));
    const isIn: boolean[] = [];
    for (let from = 0; from < rows.length; from += together)
      isIn.push(...(await areMembers(work, person_id, conditions.slice(from, from + together))));
    return {
      segments: rows
        .filter((_, place) => isIn[place])
        .map(({ id, name, color, preset }) => ({
          id: id as SegmentId,
          name,
          color,
          is_system: preset !== null,
        })),
    };
  },
});

async function areMembers(
  work: Work,
  person: PersonId,
  segments: readonly (readonly Condition[])[],
): Promise<boolean[]> {
  const found = await work.db
    .selectNoFrom((eb) =>
      segments.map((conditions, place) => {
        const one = work.db
          .selectFrom('people')
          .where('people.org_id', '=', work.org)
          .where('people.id', '=', person);
        return eb.exists(whereMember(work, one, conditions).select('people.id')).as(`is_in_${place}`);
      }),
    )
    .executeTakeFirstOrThrow();
  return segments.map((_, place) => (found as Record<string, unknown>)[`is_in_${place}`] === true);
}
