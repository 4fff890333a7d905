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
/** Segments that are read and asked about together, so that a statement is planned in some milliseconds. */
const together = 4;
/** Values in all the conditions that one call compares: the longest segment has thousands of them. */
const mostValues = 20_000;

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
    left_out: z
      .int()
      .describe('How many segments were not looked at: older ones, or because the conditions are too many.'),
  }),
  handle: async (work, { person_id }) => {
    await requirePerson(work, person_id);
    const segments = [];
    let looked = 0;
    for (let values = 0; looked < most && values < mostValues;) {
      const rows = await readSome(work, looked);
      if (rows.length === 0) break;
      looked += rows.length;
      values += rows.reduce((sum, { filters }) => sum + valuesIn(filters), 0);
      const isIn = await areMembers(work, person_id, await conditionsOf(work, rows.map(filtersOf)));
      segments.push(...rows.filter((_, place) => isIn[place]));
    }
    return {
      segments: segments.map(({ id, name, color, preset }) => ({
        id: id as SegmentId,
        name,
        color,
        is_system: preset !== null,
      })),
      left_out: (await countSegments(work)) - looked,
    };
  },
});

const readSome = ({ db, org }: Work, offset: number) =>
  db
    .selectFrom('segments')
    .select(['id', 'name', 'color', 'preset', 'filters'])
    .where('org_id', '=', org)
    .orderBy('created_at', 'desc')
    .orderBy('name')
    .orderBy('id')
    .limit(together)
    .offset(offset)
    .execute();

async function countSegments({ db, org }: Work): Promise<number> {
  const counted = db.selectFrom('segments').select((eb) => eb.fn.countAll<number>().as('total'));
  return (await counted.where('org_id', '=', org).executeTakeFirstOrThrow()).total;
}

const valuesIn = (filters: unknown): number =>
  filters !== null && typeof filters === 'object'
    ? Object.values(filters).reduce<number>((sum, inner) => sum + valuesIn(inner), 0)
    : 1;

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
