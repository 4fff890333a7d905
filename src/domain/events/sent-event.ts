import { z } from 'zod';
import { nestsDeeper } from '../../kernel/hostile-text.ts';
import { PersonId } from '../../kernel/ids.ts';
import { Moment } from '../../kernel/moment.ts';
import { EventName, reservedPrefix } from '../timeline/event.ts';
import { EmailAddress, IdentifierValue } from '../identifiers/identifier.ts';
import { formLookupOrder } from '../people/identify/find-or-create.ts';

const mostCharacters = 16_384;
const deepest = 5;
const earliest = Date.UTC(1970, 0, 1);

/** Also names that only look like the prefix: readers of a timeline must be able to trust it. */
const isReserved = (name: string): boolean =>
  name.normalize('NFKC').trim().toLowerCase().startsWith(reservedPrefix);

/** An event as callers send it. */
export const sentEventFields = {
  event_name: EventName.refine(
    (name) => !isReserved(name),
    `Names that begin with ${reservedPrefix} are the service's own; choose another.`,
  ),
  person_id: PersonId.optional().describe('Who it is about, by itself; or some of the four that follow.'),
  user_id: IdentifierValue.optional().describe("The organization's own id for the person."),
  email: EmailAddress.optional(),
  phone: IdentifierValue.optional(),
  anonymous_id: IdentifierValue.optional(),
  custom_properties: z
    .record(z.string().max(200), z.unknown())
    .refine((sent) => !nestsDeeper(sent, deepest), `At most ${deepest} levels, one in another.`)
    .refine(
      (sent) => JSON.stringify(sent).length <= mostCharacters,
      `At most ${mostCharacters} characters as JSON.`,
    )
    .optional()
    .describe('What else is to be told of it.'),
  occurred_at: Moment.refine((moment) => moment.getTime() >= earliest, 'Must not be before 1970.')
    .optional()
    .describe('When it happened; now, if left out.'),
  event_id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Your own id for it: one that was sent before is not recorded again.'),
};

type Who = { readonly person_id?: unknown } & Partial<Record<(typeof formLookupOrder)[number][0], unknown>>;

/** A person by their id, or by identifiers: not both, because they could name different people. */
export const namesSomebody = (who: Who): boolean =>
  (who.person_id !== undefined) !== formLookupOrder.some(([field]) => who[field] !== undefined);

export const personRequired =
  'Say who it is about: with person_id alone, or with some of user_id, email, phone and anonymous_id.';

export const SentEvent = z.strictObject(sentEventFields).refine(namesSomebody, personRequired);
export type SentEvent = z.output<typeof SentEvent>;
