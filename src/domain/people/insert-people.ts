import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import type { PersonId } from '../../kernel/ids.ts';
import { typedPhone } from './create-person.ts';
import type { SentIdentifier, SentNames } from './sent-person.ts';

/** Somebody who is held, or is about to be made, and what nobody held before. */
export interface Gaining {
  readonly id: PersonId;
  readonly isNew: boolean;
  readonly gains: SentIdentifier[];
  /** Of somebody new. */
  readonly names?: SentNames;
}

/** What their first identifiers of a kind are stands on their rows, as in createPerson. */
export async function insertPeople(work: Work, people: readonly Gaining[]): Promise<void> {
  if (people.length === 0) return;
  const rows = people.map(({ id, gains, names }) => {
    const valueOf = (type: string) => gains.find((one) => one.type === type)?.value ?? null;
    return {
      id,
      first_name: names?.first_name ?? null,
      last_name: names?.last_name ?? null,
      email: valueOf('email'),
      phone: typedPhone(gains),
      external_id: valueOf('org_assigned_user_id'),
    };
  });
  await sql`
    insert into people (org_id, id, first_name, last_name, primary_email, primary_phone, external_user_id,
      primary_contact_method, created_at, updated_at)
    select ${work.org}, n.id, n.first_name, n.last_name, n.email, n.phone, n.external_id,
      case when n.email is not null then 'email' when n.phone is not null then 'phone' end, ${work.now}, ${work.now}
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as n(id uuid, first_name text, last_name text, email text, phone text, external_id text)`.execute(
    work.db,
  );
}
