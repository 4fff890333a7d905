import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Work } from '../../database/work.ts';
import type { Condition } from '../segments/condition.ts';
import { mailAddress } from '../people/mail-address.ts';
import { joins, whereMember, type PeopleQuery } from '../segments/filter-to-sql.ts';
import type { Draft } from './draft-input.ts';

/** Whom a broadcast is meant for, as a query that every read asks anew. */
export interface Audience {
  readonly people: PeopleQuery;
  /** Whether more than a list of everybody is asked. */
  readonly joins: boolean;
}

type Aimed = Pick<Draft, 'audience' | 'webinar_id' | 'webinar_audience'>;

/** `conditions` are those of the segment, when it is one; a segment that is gone has no members. */
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
  // Whoever a workflow came to: there is no membership to lose.
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
 * Where a person of the audience is written to, and why they would not be now, or null. One reason each, the first that
 * holds: what the person said comes before what a mailbox said.
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
