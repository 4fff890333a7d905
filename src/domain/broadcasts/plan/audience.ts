import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { Condition } from '../../filters/condition.ts';
import { mailAddress } from '../../people/opt-outs/mail-address.ts';
import { joins, whereMember, type PeopleQuery } from '../../filters/filter-to-sql.ts';
import type { Draft } from '../draft/draft-input.ts';

/** The audience of a broadcast as a query, which every read runs anew. */
export interface Audience {
  readonly people: PeopleQuery;
  /** Whether the query needs more than the list of people. */
  readonly joins: boolean;
}

type Aimed = Pick<Draft, 'audience' | 'webinar_id' | 'webinar_audience'>;

/** `conditions` are those of the segment, if the audience is one; a deleted segment has no members. */
export function audienceOf(
  work: Work,
  draft: Aimed,
  conditions: readonly Condition[] = [{ on: 'nobody' }],
): Audience {
  const people: PeopleQuery = work.db.selectFrom('people').where('people.org_id', '=', work.org);
  if (draft.audience === 'everyone') {
    const hasEmail = sql<SqlBool>`coalesce(people.primary_email, people.other_email) is not null`;
    return { people: people.where(hasEmail), joins: false };
  }
  // All people whom the workflow reached: there is no membership to lose.
  if (draft.audience === 'workflow') return { people, joins: false };
  if (draft.audience === 'segment') {
    return { people: whereMember(work, people, conditions), joins: joins(conditions) };
  }
  const registrants = people.innerJoin('registrations as r', (join) => {
    const registered = join
      .on('r.org_id', '=', work.org)
      .on('r.webinar_id', '=', draft.webinar_id)
      .onRef('r.person_id', '=', 'people.id');
    return draft.webinar_audience === 'registered'
      ? registered
      : registered.on('r.attended', '=', draft.webinar_audience === 'attended');
  });
  return { people: registrants as unknown as PeopleQuery, joins: true };
}

/**
 * Each person's address, and the reason why they would be left out now, or null. The first reason that holds counts:
 * the person's own wish comes before a mailbox's report.
 */
export function exclusion(work: Work, people: PeopleQuery, channel: Draft['channel']) {
  const optedOut = people.leftJoin('opt_outs as o', (join) =>
    join
      .on('o.org_id', '=', work.org)
      .onRef('o.person_id', '=', 'people.id')
      .on(channel === 'email' ? 'o.email_opt_out' : 'o.sms_opt_out', '=', true),
  );
  if (channel === 'sms') {
    // The number that texts go to: the primary one if it may be written to, else the oldest that may.
    const withNumber = optedOut.leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('identifiers as i')
          .select('i.value')
          .where('i.org_id', '=', work.org)
          .whereRef('i.person_id', '=', 'people.id')
          .where('i.type', '=', 'phone')
          .where('i.is_contact_method', '=', true)
          .orderBy('i.is_primary_for_type', 'desc')
          .orderBy('i.created_at')
          .orderBy('i.id')
          .limit(1)
          .as('number'),
      (join) => join.onTrue(),
    );
    const excluded = sql<string | null>`case
        when number.value is null then 'no_address'
        when o.person_id is not null then 'opted_out'
        when dialed(number.value) !~ '^\\+[1-9][0-9]{6,14}$' then 'invalid_address'
      end`;
    return judged(withNumber as unknown as PeopleQuery, excluded, sql<string | null>`dialed(number.value)`);
  }
  const withBounces = optedOut.leftJoin('email_blacklist as x', (join) =>
    join.on('x.org_id', '=', work.org).onRef('x.person_id', '=', 'people.id').on('x.email', '=', mailAddress),
  );
  const excluded = sql<string | null>`case
        when ${mailAddress} is null then 'no_address'
        when o.person_id is not null then 'opted_out'
        else x.reason
      end`;
  return judged(withBounces as unknown as PeopleQuery, excluded, mailAddress);
}

const judged = (
  people: PeopleQuery,
  excluded: RawBuilder<string | null>,
  address: RawBuilder<string | null>,
) => people.select([excluded.as('excluded'), address.as('address')]);
