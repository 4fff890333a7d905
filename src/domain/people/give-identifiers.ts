import { sql } from 'kysely';
import { TryAgain } from '../../database/org-transaction.ts';
import type { Work } from '../../database/work.ts';
import { newId, type IdentifierId, type PersonId } from '../../kernel/ids.ts';
import { refreshPrimaries } from '../identifiers/refresh-primaries.ts';
import { rememberedAmong, restoreSuppression } from '../identifiers/suppressed-address.ts';
import { contactTypes } from './create-person.ts';
import type { SentIdentifier } from './sent-person.ts';

/** Somebody who is held, or is about to be made, and what nobody held before. */
export interface Gaining {
  readonly id: PersonId;
  readonly isNew: boolean;
  readonly gains: SentIdentifier[];
}

/**
 * Makes people and gives identifiers to many at once. All values in one statement and in one order: calls that race for
 * the same ones wait for each other in one direction only, and whoever comes second starts over.
 */
export async function giveIdentifiers(work: Work, gaining: readonly Gaining[]): Promise<void> {
  await insertPeople(
    work,
    gaining.filter(({ isNew }) => isNew),
  );
  const rows = gaining.flatMap(({ id, gains }) =>
    gains.map(({ type, value }, index) => ({
      id: newId<IdentifierId>(work.now),
      person_id: id,
      type,
      value,
      contact: contactTypes.has(type),
      first: gains.findIndex((one) => one.type === type) === index,
    })),
  );
  const { rows: given } = await sql`
    insert into identifiers (org_id, id, person_id, type, value, is_contact_method, is_primary_for_type, created_at)
    select ${work.org}, g.id, g.person_id, g.type, g.value, g.contact, g.first and not exists (
      select 1 from identifiers p
      where p.org_id = ${work.org} and p.person_id = g.person_id and p.type = g.type and p.is_primary_for_type),
      ${work.now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as g(id uuid, person_id uuid, type text, value text, contact boolean, first boolean)
    order by g.type collate "C", g.value collate "C"
    on conflict do nothing
    returning 1`.execute(work.db);
  if (given.length !== rows.length) throw new TryAgain();
  for (const { id, isNew } of gaining) if (!isNew) await refreshPrimaries(work, id);
  const remembered = await rememberedAmong(work, rows);
  for (const { id, gains } of gaining) {
    if (gains.some(({ value }) => remembered.has(value))) await restoreSuppression(work, id, gains);
  }
}

/** Without names. What their first identifiers of a kind are stands on their rows, as in createPerson. */
async function insertPeople(work: Work, people: readonly Gaining[]): Promise<void> {
  if (people.length === 0) return;
  const rows = people.map(({ id, gains }) => {
    const valueOf = (type: string) => gains.find((one) => one.type === type)?.value ?? null;
    return {
      id,
      email: valueOf('email'),
      phone: valueOf('phone'),
      external_id: valueOf('org_assigned_user_id'),
    };
  });
  await sql`
    insert into people (org_id, id, primary_email, primary_phone, external_user_id, primary_contact_method,
      created_at, updated_at)
    select ${work.org}, n.id, n.email, n.phone, n.external_id,
      case when n.email is not null then 'email' when n.phone is not null then 'phone' end, ${work.now}, ${work.now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as n(id uuid, email text, phone text, external_id text)`.execute(work.db);
}
