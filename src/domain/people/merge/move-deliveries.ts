import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';

/**
 * Gives the ledger rows of merged people to the survivor. A person has one row in a broadcast, the one that says most:
 * that they have it or may have it, else that they are to get it; the survivor's own before another's. In a mailing
 * they have one for each occasion, and all of them stand. Of the other rows, pending ones would be a second message to
 * one person, and are left out. The rest stay behind the standing row as twins, because the links and bounces of those
 * messages must still find the person.
 *
 * Handles all the people at once. The caller holds their rows and the totals of broadcasts.
 */
export async function moveDeliveries(
  work: Work,
  survivor: PersonId,
  losers: readonly PersonId[],
): Promise<void> {
  const { db, org } = work;
  const { rows } = await sql<{ id: number; stands: boolean }>`
    select id, 1 = row_number() over (partition by broadcast_id, occasion order by
      array_position(array['sent', 'uncertain', 'sending', 'pending'], state),
      person_id <> ${survivor}, twin nulls first, id) as stands
    from deliveries where org_id = ${org} and person_id = any(${[survivor, ...losers]}::uuid[])`.execute(db);
  const others = rows.filter(({ stands }) => !stands).map(({ id }) => id);
  const standing = rows.filter(({ stands }) => stands).map(({ id }) => id);
  if (others.length > 0) await putBehind(db, org, survivor, others);
  if (standing.length === 0) return;
  await sql`
    update deliveries set person_id = ${survivor}, twin = null
    where org_id = ${org} and id = any(${standing}::bigint[])
      and (person_id <> ${survivor} or twin is not null)`.execute(db);
}

/** A row without a person keeps nothing personal: deleting the person would not find it. */
async function putBehind(
  db: Work['db'],
  org: Work['org'],
  survivor: PersonId,
  ids: readonly number[],
): Promise<void> {
  await sql`
    update deliveries set person_id = ${survivor}, twin = id,
      state = case state when 'pending' then former_state else state end,
      reason = case state when 'pending' then former_reason else reason end
    where org_id = ${org} and id = any(${ids}::bigint[]) and (state <> 'pending' or former_state is not null)`.execute(
    db,
  );
  await sql`
    update deliveries set
      state = 'skipped', reason = 'duplicate_address',
      person_id = null, twin = null, address = null, reply = null, history = '[]'
    where org_id = ${org} and id = any(${ids}::bigint[]) and state = 'pending'`.execute(db);
}

/**
 * Leaves out what runs that end in a merge were still to send to a person: another run sends the same. A message in
 * hand continues, but is not tried again if it is put off: a twin never waits.
 */
export async function skipMessagesOfRun(
  { db, org }: Work,
  person: PersonId,
  runs: readonly string[],
): Promise<void> {
  const { rows } = await sql<{ id: number; state: string }>`
    select id, state from deliveries
    where org_id = ${org} and person_id = ${person} and run_id = any(${runs}::uuid[])
      and state in ('pending', 'sending')`.execute(db);
  const idsIn = (wanted: string) => rows.filter(({ state }) => state === wanted).map(({ id }) => id);
  await sql`
    update deliveries set twin = id where org_id = ${org} and id = any(${idsIn('sending')}::bigint[])`.execute(
    db,
  );
  await sql`
    update deliveries set state = 'skipped', reason = 'duplicate_address'
    where org_id = ${org} and id = any(${idsIn('pending')}::bigint[])`.execute(db);
}
