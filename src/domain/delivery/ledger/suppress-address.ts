import { sql } from 'kysely';
import { holdPeople } from '../../../database/hold-people.ts';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';

/**
 * Blacklists an address, so that it is never written to again. It may have passed to another person since the message
 * was sent, so it is blacklisted for its current holders too. A complaint replaces a bounce, never the other way round.
 */
export async function blacklistAddress(
  work: Work,
  person: PersonId,
  address: string,
  reason: 'bounced' | 'complained',
): Promise<void> {
  const holders = await holdHolders(work, person, address);
  if (holders.length === 0) return;
  await sql`
    insert into email_blacklist as b (org_id, id, person_id, email, reason, created_at)
    select ${work.org}, new_id(${work.now}), p.id, ${folded(address)}, ${reason}, ${work.now}
    from unnest(${holders}::uuid[]) as p(id)
    on conflict (org_id, person_id, email) do update set reason = excluded.reason
    where excluded.reason = 'complained' and b.reason <> 'complained'`.execute(work.db);
  const touched = new Set([work.touched['blacklisted_person_ids'] ?? [], holders].flat());
  work.touched['blacklisted_person_ids'] = [...touched];
}

/**
 * Locks the person and the current holders of the address before anything is written. A lane locks a person before it
 * checks for suppression, so no message is handed over after this commits.
 */
export function holdHolders(
  work: Work,
  person: PersonId | null,
  address: string | null,
): Promise<PersonId[]> {
  // An array, because PostgreSQL scans all people for "this id or one of those".
  const holders = sql`array(
    select ${person}::uuid union all
    select person_id from identifiers
    where org_id = ${work.org} and type = 'email' and value = ${address === null ? null : folded(address)})`;
  return holdPeople(work, holders, 'alone');
}

/** The form in which identifiers are stored and compared. */
export const folded = (address: string): string => address.trim().toLowerCase();
