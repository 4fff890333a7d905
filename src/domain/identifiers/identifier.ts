import { z } from 'zod';
import { Failure } from '../../kernel/failure.ts';
import { IdentifierId } from '../../kernel/ids.ts';
import { MomentOut } from '../../kernel/moment.ts';
import type { Identifiers } from '../../database/tables.generated.ts';
import type { Selectable } from 'kysely';

export const IdentifierType = z.enum([
  'email',
  'phone',
  'user_id',
  'org_assigned_user_id',
  'payment_customer_id',
  'anonymous_id',
  'chat',
  'chat_user_id',
  'chat_channel',
  'messenger',
  'full_name',
]);
export type IdentifierType = z.infer<typeof IdentifierType>;

/** Many people may carry one name or sit in one channel; any other value has a single holder. */
export const sharedTypes: ReadonlySet<IdentifierType> = new Set(['full_name', 'chat_channel']);

const longest = 512;

export const IdentifierValue = z.string().trim().min(1).max(longest);

// An address contains no character with a meaning of its own in a header; a domain has no empty label.
const odd = String.raw`\s@<>(),;:\\"[\]`;
export const anEmail = new RegExp(`^[^${odd}]+@[^${odd}.]+(?:\\.[^${odd}.]+)*$`);
export const notAnEmail = 'Must be one email address, such as ada@example.com.';

/** An address as it is compared and stored. Its deliverability is the mail server's to judge, not ours. */
export const EmailAddress = z.string().trim().toLowerCase().max(320).regex(anEmail, notAnEmail);

/** The value as it is compared and stored. Some letters become two when lowercased, so its length is judged again. */
export function normalizeValue(type: IdentifierType, value: string): string {
  const normalized = type === 'email' ? value.trim().toLowerCase() : value.trim();
  if (type === 'email' && !anEmail.test(normalized)) throw wrongValue('invalid_format', notAnEmail);
  if (normalized.length <= longest) return normalized;
  throw wrongValue('too_big', `Lowercased, the email is longer than ${longest} characters.`);
}

const wrongValue = (code: string, detail: string): Failure =>
  new Failure('invalid_request', detail, { errors: [{ pointer: '/identifier_value', code, detail }] });

export const Identifier = z
  .object({
    id: IdentifierId,
    identifier_type: IdentifierType,
    identifier_value: z.string(),
    is_contact_method: z.boolean(),
    is_primary_for_type: z.boolean(),
    metadata: z.record(z.string(), z.unknown()),
    created_at: MomentOut,
  })
  .meta({ id: 'Identifier' });

export const toIdentifier = (row: Selectable<Identifiers>): z.input<typeof Identifier> => ({
  id: row.id as IdentifierId,
  identifier_type: row.type as IdentifierType,
  identifier_value: row.typed ?? row.value,
  is_contact_method: row.is_contact_method,
  is_primary_for_type: row.is_primary_for_type,
  metadata: row.metadata as Record<string, unknown>,
  created_at: row.created_at.toISOString(),
});
