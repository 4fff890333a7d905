import { sql } from 'kysely';
import { TryAgain } from '../../../database/org-transaction.ts';
import type { Work } from '../../../database/work.ts';
import { newId, type IdentifierId, type PersonId } from '../../../kernel/ids.ts';
import { writtenFields } from '../../person-fields/fields.ts';
import { refreshPrimaries } from '../../identifiers/refresh-primaries.ts';
import { restoreSuppression } from '../../identifiers/suppressed-address.ts';
import { writtenColumns, type SentFields, type SentIdentifier } from './sent-person.ts';

/** The types of identifiers that may be written to when attached by identifying. */
export const contactTypes: ReadonlySet<string> = new Set(['email', 'phone']);

/** The first phone number as typed, which is how the person's row shows it. */
export const typedPhone = (identifiers: readonly SentIdentifier[]): string | null => {
  const phone = identifiers.find(({ type }) => type === 'phone');
  return phone?.typed ?? phone?.value ?? null;
};

/** A new person with its identifiers, the first of each type its primary, in one statement. */
export async function createPerson(
  work: Work,
  identifiers: readonly SentIdentifier[],
  fields: SentFields,
): Promise<PersonId> {
  const id = newId<PersonId>(work.now);
  const valueOf = (type: string) => identifiers.find((one) => one.type === type)?.value ?? null;
  const email = valueOf('email');
  const phone = typedPhone(identifiers);
  const { rows } = await sql<{ attached: number }>`
    with person as (
      insert into people (org_id, id, ${writtenColumns()}, primary_email, primary_phone, external_user_id,
        primary_contact_method, created_at, updated_at)
      values (${work.org}, ${id}, ${sql.join(writtenFields.map((field) => fields[field]))}, ${email}, ${phone},
        ${valueOf('org_assigned_user_id')}, ${email === null ? (phone === null ? null : 'phone') : 'email'},
        ${work.now}, ${work.now})
    ), attached as (
      ${insertIdentifiers(work, id, identifiers, sql`true`)}
    )
    select count(*) as attached from attached`.execute(work.db);
  if (rows[0]?.attached !== identifiers.length) throw new TryAgain();
  await restoreSuppression(work, id, identifiers);
  work.touched['person_id'] = id;
  return id;
}

/** Adds identifiers to a person that is held, the first of each type primary where the type had none. */
export async function attachIdentifiers(
  work: Work,
  person: PersonId,
  identifiers: readonly SentIdentifier[],
): Promise<void> {
  if (identifiers.length === 0) return;
  const noPrimaryYet = sql`not exists (select 1 from identifiers p where p.org_id = ${work.org}
    and p.person_id = ${person} and p.type = sent.type and p.is_primary_for_type)`;
  const { rows } = await insertIdentifiers(work, person, identifiers, noPrimaryYet).execute(work.db);
  if (rows.length !== identifiers.length) throw new TryAgain();
  await refreshPrimaries(work, person);
  await restoreSuppression(work, person, identifiers);
}

/** Sorted, so that two calls racing for the same new values wait for each other in one direction only. */
function insertIdentifiers(
  work: Work,
  person: PersonId,
  identifiers: readonly SentIdentifier[],
  primary: ReturnType<typeof sql>,
) {
  const rows = identifiers
    .map((one, index) => ({
      ...one,
      first: identifiers.findIndex(({ type }) => type === one.type) === index,
    }))
    .toSorted((a, b) => (a.type + a.value < b.type + b.value ? -1 : 1))
    .map((one) => ({ ...one, id: newId<IdentifierId>(work.now), contact: contactTypes.has(one.type) }));
  return sql`
    insert into identifiers
      (org_id, id, person_id, type, value, typed, is_contact_method, is_primary_for_type, created_at)
    select ${work.org}, sent.id, ${person}, sent.type, sent.value, sent.typed, sent.contact, sent.first and ${primary},
      ${work.now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as sent(id uuid, type text, value text, typed text, first boolean, contact boolean)
    on conflict do nothing
    returning 1`;
}
