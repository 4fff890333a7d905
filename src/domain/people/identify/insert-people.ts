import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import { writtenFields } from '../../person-fields/fields.ts';
import { typedPhone } from './create-person.ts';
import { takeFields, writtenColumns, type SentFields, type SentIdentifier } from './sent-person.ts';

/** A person who is held, or about to be created, and the identifiers they gain. */
export interface IdentifierGain {
  readonly id: PersonId;
  readonly isNew: boolean;
  readonly gains: SentIdentifier[];
  /** Only for a new person. */
  readonly fields?: SentFields;
}

/** Copies the first identifier of each kind to the person's row, as createPerson does. */
export async function insertPeople(work: Work, people: readonly IdentifierGain[]): Promise<void> {
  if (people.length === 0) return;
  const rows = people.map(({ id, gains, fields = takeFields({}) }) => {
    const valueOf = (type: string) => gains.find((one) => one.type === type)?.value ?? null;
    return {
      id,
      ...fields,
      email: valueOf('email'),
      phone: typedPhone(gains),
      external_id: valueOf('org_assigned_user_id'),
    };
  });
  await sql`
    insert into people (org_id, id, ${writtenColumns()}, primary_email, primary_phone, external_user_id,
      primary_contact_method, created_at, updated_at)
    select ${work.org}, n.id, ${writtenColumns('n')}, n.email, n.phone, n.external_id,
      case when n.email is not null then 'email' when n.phone is not null then 'phone' end, ${work.now}, ${work.now}
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as n(id uuid, ${sql.raw(writtenFields.map((field) => `${field} text`).join(', '))}, email text, phone text, external_id text)`.execute(
    work.db,
  );
}
