import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { PersonId } from '../../../kernel/ids.ts';
import { compareIdentifiers } from '../../identifiers/compare-identifiers.ts';
import { EmailAddress, IdentifierValue, type IdentifierType } from '../../identifiers/identifier.ts';
import { forWritten } from '../../person-fields/fields.ts';
import { LeftOut, tell } from '../../properties/left-out.ts';
import { readChanges, requestChanges } from '../../properties/request-changes.ts';
import { resolvePerson } from './resolve-person.ts';
import { takeFields, type SentIdentifier } from './sent-person.ts';

/** Which argument names which identifier, in the order they are looked up. */
const lookupOrder = [
  ['external_user_id', 'org_assigned_user_id'],
  ['payment_customer_id', 'payment_customer_id'],
  ['email', 'email'],
  ['anonymous_id', 'anonymous_id'],
  ['phone', 'phone'],
] as const satisfies readonly (readonly [string, IdentifierType])[];

export const identifyPerson = defineOperation({
  name: 'identify_person',
  title: 'Identify a person',
  summary:
    'Find or create the person behind one or more identifiers, attach the identifiers, and fill in names and custom ' +
    'properties. If the identifiers belong to different people, these are merged into one for good. Properties are ' +
    'applied shortly after the answer; every key needs a property config. Calling it again changes nothing more.',
  permission: 'people.write',
  effect: 'change',
  repeatable: true,
  faces: { rest: ['POST /v1/people/identify'], tool: true },
  input: z
    .strictObject({
      email: EmailAddress.optional(),
      phone: IdentifierValue.optional(),
      external_user_id: IdentifierValue.optional().describe("The organization's own id for the person."),
      payment_customer_id: IdentifierValue.optional(),
      anonymous_id: IdentifierValue.optional(),
      ...forWritten(({ input }) => input.optional()),
      custom_properties: z
        .record(z.string().max(200), z.unknown())
        .refine((sent) => Object.keys(sent).length <= 200, 'At most 200 properties in one call.')
        .optional()
        .describe('Property key to string, number or boolean.'),
    })
    .refine(
      (input) => lookupOrder.some(([argument]) => input[argument] !== undefined),
      'Send at least one of email, phone, external_user_id, payment_customer_id and anonymous_id; names alone identify nobody.',
    ),
  output: z.object({
    person_id: PersonId,
    created: z.boolean(),
    left_out: z.array(LeftOut).optional().describe('Custom properties that were not taken, if any.'),
  }),
  handle: async (work, input) => {
    const sent: SentIdentifier[] = [];
    for (const [argument, type] of lookupOrder) {
      const value = input[argument];
      if (value !== undefined) sent.push({ type, value });
    }
    const { changes, leftOut } = await readChanges(work, input.custom_properties ?? {});
    const resolved = await resolvePerson(work, await compareIdentifiers(work, sent), takeFields(input));
    await requestChanges(work, resolved.person_id, changes);
    return { ...resolved, ...tell(leftOut) };
  },
});
