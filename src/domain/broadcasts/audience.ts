import { sql, type SqlBool } from 'kysely';
import type { Work } from '../../database/work.ts';
import type { Condition } from '../segments/condition.ts';
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
    return { people: people.where('people.primary_email', 'is not', null), joins: false };
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
 * Why a person of the audience would not be written to now, or null. One reason each, the first that holds: what the
 * person said comes before what a mailbox said.
 */
export function exclusion(work: Work, people: PeopleQuery, channel: Draft['channel']) {
  const optedOut = people.leftJoin('opt_outs as o', (join) =>
    join
      .on('o.org_id', '=', work.org)
      .onRef('o.person_id', '=', 'people.id')
      .on(channel === 'email' ? 'o.email_opt_out' : 'o.sms_opt_out', '=', true),
  );
  if (channel === 'sms') {
    return optedOut.select(
      sql<string | null>`case
        when not ${textable(work)} then 'no_address'
        when o.person_id is not null then 'opted_out'
        when regexp_replace(people.primary_phone, '[ ().-]', '', 'g') !~ '^\\+[1-9][0-9]{6,14}$' then 'invalid_address'
      end`.as('excluded'),
    );
  }
  return optedOut
    .leftJoin('email_blacklist as x', (join) =>
      join
        .on('x.org_id', '=', work.org)
        .onRef('x.person_id', '=', 'people.id')
        .onRef('x.email', '=', 'people.primary_email'),
    )
    .select(
      sql<string | null>`case
        when people.primary_contact_method is distinct from 'email' then 'no_address'
        when o.person_id is not null then 'opted_out'
        else x.reason
      end`.as('excluded'),
    );
}

const textable = (work: Work) => sql<SqlBool>`exists (
  select 1 from identifiers i where i.org_id = ${work.org} and i.person_id = people.id and i.type = 'phone'
    and i.value = people.primary_phone and i.is_contact_method)`;
