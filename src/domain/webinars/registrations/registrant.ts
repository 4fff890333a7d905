import { z } from 'zod';
import { anEmail, notAnEmail } from '../../identifiers/identifier.ts';
import { formLookupOrder } from '../../people/identify/find-or-create.ts';
import { takeFields, type SentFields } from '../../people/identify/sent-person.ts';
import { forWritten } from '../../person-fields/fields.ts';
import { mostTextInValue } from '../../properties/property-value.ts';

// Forms send an empty field as a blank or as null; neither loses the registrant.
const Given = z.string().trim().max(512).nullish();
const Name = z.string().trim().max(200).nullish();

/** The registration user object. Ignores unknown fields: a lost registrant costs more than a typo. */
export const Registrant = z
  .object({
    user_id: Given.describe("The organization's own id for the person."),
    email: z
      .string()
      .trim()
      .toLowerCase()
      .max(320)
      .refine((email) => email === '' || anEmail.test(email), { error: notAnEmail })
      .nullish(),
    phone: Given,
    anonymous_id: Given,
    ...forWritten(({ input }) => input.nullish()),
    full_name: Name.describe('Split into the two names unless both are sent.'),
    properties: z
      .record(z.string().max(200), z.union([z.string().max(mostTextInValue), z.number(), z.boolean()]))
      .refine((sent) => Object.keys(sent).length <= 200, 'At most 200 properties in one call.')
      .nullish()
      .describe('Property key to string, number or boolean; dates as ISO 8601 strings.'),
  })
  .refine(
    (user) => formLookupOrder.some(([field]) => (user[field] ?? '') !== ''),
    'Send at least one of user_id, email, phone and anonymous_id; names alone identify nobody.',
  );
export type Registrant = z.output<typeof Registrant>;

/** The registrant's values for the fields that callers write. */
export const fieldsOf = (user: Registrant): SentFields => ({ ...takeFields(user), ...namesOf(user) });

/** The names sent; the full name supplies whichever of the two is missing. */
export function namesOf(
  user: Pick<Registrant, 'first_name' | 'last_name' | 'full_name'>,
): Pick<SentFields, 'first_name' | 'last_name'> {
  const first = user.first_name || null;
  const last = user.last_name || null;
  const words = (user.full_name ?? '').split(/\s+/).filter((word) => word !== '');
  if ((first !== null && last !== null) || words.length === 0) return { first_name: first, last_name: last };
  // Mary Ann Smith with the first name "Mary Ann" gets the last name "Smith", not "Ann Smith".
  const full = words.join(' ');
  if (first !== null && isPart(full.slice(0, first.length + 1), `${first} `)) {
    return { first_name: first, last_name: full.slice(first.length + 1) };
  }
  if (last !== null && isPart(full.slice(-last.length - 1), ` ${last}`)) {
    return { first_name: full.slice(0, -last.length - 1), last_name: last };
  }
  return { first_name: first ?? words[0]!, last_name: last ?? (words.slice(1).join(' ') || null) };
}

const isPart = (there: string, sought: string): boolean => there.toLowerCase() === sought.toLowerCase();
