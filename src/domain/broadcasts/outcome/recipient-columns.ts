import { sql } from 'kysely';
import type { Place } from './recipient-cursor.ts';
import { moments, type RecipientRow } from './recipient.ts';

/** A row of the ledger with its place in a list. */
export type ReadRecipient = Place & RecipientRow;

/** Of the ledger as `d`. */
export const recipientColumns = sql.raw(
  ['id', 'person_id', 'state', 'reason', 'due_at', 'due_at::text as due', ...moments]
    .map((name) => `d.${name}`)
    .join(', '),
);
