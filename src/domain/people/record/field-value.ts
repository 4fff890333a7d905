import type { Selectable } from 'kysely';
import type { People } from '../../../database/tables.generated.ts';
import { toMajor } from '../../../kernel/money.ts';
import { fieldOf, type FieldName } from '../../person-fields/fields.ts';
import { engagementScore } from '../../filters/engagement-score.ts';

/** A field's value as callers and messages know it: amounts are stored in minor units, and a score falls with time. */
export function valueOf(
  name: FieldName,
  row: Partial<Selectable<People>>,
  currency: string,
  now: Date,
): string | number | Date | null {
  const { kind, column } = fieldOf(name);
  const stored = row[column] as string | number | Date | null;
  if (kind === 'money') return toMajor(stored as number, currency);
  return kind === 'score' ? engagementScore(stored as number | null, now) : stored;
}
