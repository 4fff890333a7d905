import { sql } from 'kysely';
import type { PersonId } from '../../kernel/ids.ts';
import type { Work } from '../../database/work.ts';

/** Writes onto the person what its identifiers say, after any of them changed. The caller holds the person. */
export const refreshPrimaries = (work: Work, person: PersonId): Promise<void> =>
  refreshPrimariesOf(work, [person]);

/** The same for many people, who are all held. */
export async function refreshPrimariesOf(work: Work, people: readonly PersonId[]): Promise<void> {
  if (people.length === 0) return;
  await sql`
    update people p set
      primary_email = i.email,
      other_email = case when i.mailable then null else i.oldest_email end,
      primary_phone = i.phone,
      external_user_id = i.external_id,
      primary_contact_method = case when i.mailable then 'email' when i.textable then 'phone' end,
      updated_at = ${work.now}
    from unnest(${people}::uuid[]) as changed(id), lateral (
      select
        max(value) filter (where type = 'email' and is_primary_for_type) as email,
        max(coalesce(typed, value)) filter (where type = 'phone' and is_primary_for_type) as phone,
        max(value) filter (where type = 'org_assigned_user_id' and is_primary_for_type) as external_id,
        bool_or(is_contact_method) filter (where type = 'email' and is_primary_for_type) as mailable,
        bool_or(is_contact_method) filter (where type = 'phone' and is_primary_for_type) as textable,
        (array_agg(value order by created_at, id) filter (where type = 'email' and is_contact_method))[1]
          as oldest_email
      from identifiers
      where org_id = ${work.org} and person_id = changed.id
    ) i
    where p.org_id = ${work.org} and p.id = any(${people}::uuid[]) and p.id = changed.id`.execute(work.db);
}

/** Clears the primary flag of the person's identifier of this type, so that another may become primary. */
export async function demotePrimary(work: Work, person: PersonId, type: string): Promise<boolean> {
  const { numUpdatedRows } = await work.db
    .updateTable('identifiers')
    .set({ is_primary_for_type: false })
    .where('org_id', '=', work.org)
    .where('person_id', '=', person)
    .where('type', '=', type)
    .where('is_primary_for_type', '=', true)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Replaces a primary that is gone by the oldest other contact method of its type. */
export async function promoteOldest(
  { db, org }: Work,
  person: PersonId,
  gone: { readonly id: string; readonly type: string },
): Promise<void> {
  await sql`
    update identifiers set is_primary_for_type = true
    where org_id = ${org} and id = (
      select id from identifiers
      where org_id = ${org} and person_id = ${person} and type = ${gone.type} and is_contact_method
        and id <> ${gone.id}
      order by created_at, id limit 1)`.execute(db);
}
