import { sql } from 'kysely';

/** Where email to a person goes: the primary address if it may be written to, else the oldest that may. */
export const mailAddress = sql<
  string | null
>`case when people.primary_contact_method = 'email' then people.primary_email else people.other_email end`;
