import { z } from 'zod';
import { atOnce } from '../../database/planner.ts';
import { defineOperation } from '../../database/work.ts';
import { SentFilters } from '../filters/condition.ts';
import { Warning } from '../filters/local-dates.ts';
import { acceptFilters } from '../filters/read-filters.ts';
import { countReachable } from './count-reachable.ts';
import { countPeople, filterPeople } from '../people/record/filter-people.ts';
import { readMembers } from './page-of-members.ts';
import { PersonSummary, toSummary } from '../people/record/person.ts';

const someMembers = { limit: 5, offset: 0 };

export const previewSegment = defineOperation({
  name: 'preview_segment',
  title: 'Preview a segment',
  summary:
    'Who conditions would match at this moment, without saving them: how many, how many of those can be reached by ' +
    'email, and the five newest.',
  permission: 'people.read',
  effect: 'read',
  cost: 'heavy',
  faces: { rest: ['POST /v1/segments/preview'], tool: true },
  input: z.strictObject({ filters: SentFilters }),
  output: z.object({
    count: z.int(),
    reachable_by_email: z
      .int()
      .describe(
        'Those whose primary email may be written to, who neither opted out of email nor are blacklisted.',
      ),
    samples: z.array(PersonSummary),
    warnings: z.array(Warning).optional().describe('Dates that were read without a zone, if any.'),
  }),
  handle: async (work, { filters }) => {
    const { conditions, warnings } = await acceptFilters(work, filters);
    const people = filterPeople(work, { conditions });
    const { count, reachable } = await atOnce(work.db, () => countReachable(work, people));
    const everybody = await countPeople(work, {});
    const samples = await readMembers(work, conditions, { total: count, everybody }, someMembers);
    return {
      count,
      reachable_by_email: reachable,
      samples: samples.map((row) => toSummary(row, work)),
      ...(warnings.length > 0 && { warnings: [...warnings] }),
    };
  },
});
