import type { Work } from '../../database/work.ts';
import { whereMember, type PeopleQuery } from '../segments/filter-to-sql.ts';
import { readFilters } from '../segments/read-filters.ts';
import type { LiveGraph } from './live-graph.ts';
import type { Look } from './walk.ts';

/** Splits ask the rows, at the moment a run comes by: what was reported a second ago counts. */
export const lookAtRows = (work: Work, graph: LiveGraph, webinar: string | null): Look => ({
  attended: async (people) => {
    if (webinar === null) return new Set();
    const rows = await work.db
      .selectFrom('registrations')
      .select('person_id')
      .where('org_id', '=', work.org)
      .where('webinar_id', '=', webinar)
      .where('person_id', 'in', people)
      .where('attended', '=', true)
      .execute();
    return new Set(rows.map(({ person_id }) => person_id));
  },
  matching: async (id, people) => {
    const node = graph.nodes[id];
    if (node?.type !== 'condition_split') throw new Error(`${id} asks for nothing`);
    const { conditions } = await readFilters(work, node.filters);
    const asked: PeopleQuery = work.db
      .selectFrom('people')
      .where('people.org_id', '=', work.org)
      .where('people.id', 'in', people);
    const rows = await whereMember(work, asked, conditions).select('people.id').execute();
    return new Set(rows.map(({ id: person }) => person));
  },
});
