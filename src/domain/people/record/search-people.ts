import { sql } from 'kysely';
import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { comparePhone, isInternational } from '../../identifiers/phone-number.ts';
import { PersonSummary, summaryColumns, toSummary } from './person.ts';

const most = 50;

export const searchPeople = defineOperation({
  name: 'search_people',
  title: 'Search people',
  summary:
    'Find people by part of any identifier: email, phone, external id, payment customer id, anonymous id, chat id or ' +
    'full-name identifier. Case does not matter. At most 50, in no order, no paging. It does not look at first_name ' +
    'and last_name; use list_people to browse.',
  permission: 'people.read',
  effect: 'read',
  cost: 'heavy',
  // POST first: a search is often an address, and addresses do not belong in URLs.
  faces: { rest: ['POST /v1/people/search', 'GET /v1/people/search'], tool: true },
  input: z.strictObject({ query: z.string().min(1).max(512).describe('Part of an identifier value.') }),
  output: z.object({ people: z.array(PersonSummary) }),
  handle: async (work, { query }) => {
    const rows = await work.db
      .selectFrom('people')
      .select(summaryColumns)
      .where('org_id', '=', work.org)
      .where('id', 'in', sql<string>`(${found(spellingsOf(query))})`)
      .execute();
    return { people: rows.map((row) => toSummary(row, work)) };
  },
});

function found([query, other]: readonly string[]) {
  const matches = sql`select gate.search_people(${query}, ${most})`;
  return other === undefined
    ? matches
    : sql`select * from (${matches} union select gate.search_people(${other}, ${most})) both_ways limit ${most}`;
}

/** Callers may write part of a phone number in any way; numbers are stored as dialed from abroad. */
function spellingsOf(query: string): string[] {
  if (!/^[\d\s().+-]*$/.test(query)) return [query];
  const dialed = isInternational(query)
    ? comparePhone(query.trim(), null).replaceAll(/[^\d+]/g, '')
    : query.replaceAll(/\D/g, '').replace(/^0+/, '');
  return dialed.length < 3 || dialed === query ? [query] : [query, dialed];
}
