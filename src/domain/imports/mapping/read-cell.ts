import { EmailAddress, IdentifierValue } from '../../identifiers/identifier.ts';
import type { Written } from '../../person-fields/field.ts';
import type { PropertyType } from '../../properties/property-config.ts';
import { convertValue, mostTextInValue, type PropertyScalar } from '../../properties/property-value.ts';
import { readConsent } from './consent-words.ts';

/** Why a cell does not fit its column. `takes` completes the sentence "Column … must hold". */
export interface Misfit {
  readonly code: string;
  readonly takes: string;
}

export type Read<T> = { readonly value: T } | Misfit;

/** Reads a cell of a column; never called for a blank one. */
export type ReadCell = (cell: unknown) => Read<PropertyScalar>;

export const isMisfit = (read: object): read is Misfit => 'takes' in read;

const misfit = (code: string, takes: string): Misfit => ({ code, takes });

/** A blank cell changes nothing. */
export const isBlank = (cell: unknown): boolean =>
  cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '');

export const isCell = (cell: unknown): boolean =>
  cell === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof cell);

/** Refuses an integer too large to be exact: it has lost digits, and would identify another person. */
function textOf(cell: unknown): string | undefined {
  if (typeof cell === 'string') return cell;
  if (typeof cell !== 'number' || !Number.isFinite(cell)) return undefined;
  return Number.isInteger(cell) && !Number.isSafeInteger(cell) ? undefined : String(cell);
}

export const readEmail: ReadCell = (cell) => {
  const { success, data } = EmailAddress.safeParse(cell);
  return success ? { value: data } : misfit('not_an_email', 'an email address');
};

export const readIdentifier: ReadCell = (cell) => {
  const { success, data } = IdentifierValue.safeParse(textOf(cell));
  return success ? { value: data } : misfit('not_an_identifier', 'text of at most 512 characters');
};

/** For a column of a text field that callers write. */
export const fieldReader = ({ input, misfit: code }: Written): ReadCell => {
  const takes = `text of at most ${input.maxLength} characters`;
  return (cell) => {
    const { success, data } = input.safeParse(textOf(cell));
    return success ? { value: data } : misfit(code, takes);
  };
};

const consentWords = 'true or false, yes or no, 1 or 0, subscribed or unsubscribed';

/** Whether the cell opts out, in a column that says who is subscribed or one that says who is not. */
export const consentReader =
  (column: 'subscribed' | 'unsubscribed'): ReadCell =>
  (cell) => {
    const value = readConsent(cell, column);
    return value === undefined ? misfit('not_consent', consentWords) : { value };
  };

const propertyMisfits: Readonly<Record<PropertyType, Misfit>> = {
  string: misfit('too_long', `text of at most ${mostTextInValue} characters`),
  number: misfit('not_a_number', 'a number, such as 1000 or 9.5'),
  boolean: misfit('not_a_boolean', 'true or false, 1 or 0'),
};

export const propertyReader =
  (type: PropertyType): ReadCell =>
  (cell) => {
    const value = convertValue(cell, type);
    const isTooLong = typeof value === 'string' && value.length > mostTextInValue;
    return value === undefined || isTooLong ? propertyMisfits[type] : { value };
  };
