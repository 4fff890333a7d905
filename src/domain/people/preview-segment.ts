import { z } from 'zod';
import { atOnce } from '../../database/at-once.ts';
import { defineOperation } from '../../database/work.ts';
import { SentFilters } from '../segments/condition.ts';
import { Warning } from '../segments/local-dates.ts';
import { acceptFilters } from '../segments/read-filters.ts';
import { countReachable } from './count-reachable.ts';
import { countPeople, filterPeople } from './filter-people.ts';
import { readMembers } from './page-of-members.ts';
import { PersonSummary, toSummary } from './person.ts';

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
      samples: samples.map((row) => toSummary(row, work.caller.currency)),
      ...(warnings.length > 0 && { warnings: [...warnings] }),
    };
  },
});
