import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import type { PersonId } from '../../kernel/ids.ts';

/**
 * Nobody writes to the address again. It may have gone to somebody else since the message did, so it is blacklisted for
 * whoever has it now as well. A complaint weighs more than a bounce and takes its place, never the other way round.
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
 * Holds the person, and who has the address now, before anything is written: whoever hands over a message holds the
 * person and looks for suppression after that, so nobody is written to after this is committed.
 */
export async function holdHolders(
  { db, org }: Work,
  person: PersonId | null,
  address: string | null,
): Promise<PersonId[]> {
  // As an array, because PostgreSQL reads everybody for "this one or one of those".
  const { rows } = await sql<{ id: PersonId }>`
    select id from people
    where org_id = ${org} and id = any(array(
      select ${person}::uuid union all
      select person_id from identifiers
      where org_id = ${org} and type = 'email' and value = ${address === null ? null : folded(address)}))
    order by id for update`.execute(db);
  return rows.map(({ id }) => id);
}

/** As identifiers are kept and compared. */
const folded = (address: string): string => address.trim().toLowerCase();
