import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import type { PeopleQuery } from '../filters/filter-to-sql.ts';
import { mailAddress } from '../people/opt-outs/mail-address.ts';

/** How many people a query holds and how many of them an email may go to now, in one pass. */
export const countReachable = (
  work: Work,
  people: PeopleQuery,
): Promise<{ count: number; reachable: number }> =>
  people
    .leftJoin('opt_outs as o', (join) =>
      join
        .on('o.org_id', '=', work.org)
        .onRef('o.person_id', '=', 'people.id')
        .on('o.email_opt_out', '=', true),
    )
    .leftJoin('email_blacklist as b', (join) =>
      join
        .on('b.org_id', '=', work.org)
        .onRef('b.person_id', '=', 'people.id')
        .on('b.email', '=', mailAddress),
    )
    .select([
      sql<number>`count(*)`.as('count'),
      sql<number>`count(*) filter (where ${mailAddress} is not null
        and o.person_id is null and b.person_id is null)`.as('reachable'),
    ])
    .executeTakeFirstOrThrow();
