import { EmailAddress, IdentifierValue } from '../identifiers/identifier.ts';
import type { PropertyType } from '../properties/property-config.ts';
import { convertValue, mostTextInValue, type PropertyScalar } from '../properties/property-value.ts';
import { readConsent } from './consent-words.ts';

/** Why a cell cannot be what its column means. `takes` goes on from "Column … must hold". */
export interface Misfit {
  readonly code: string;
  readonly takes: string;
}

export type Read<T> = { readonly value: T } | Misfit;

/** How the cells of a column are read; never asked about a blank one. */
export type ReadCell = (cell: unknown) => Read<PropertyScalar>;

export const isMisfit = (read: object): read is Misfit => 'takes' in read;

const misfit = (code: string, takes: string): Misfit => ({ code, takes });

/** Says nothing, and so changes nothing. */
export const isBlank = (cell: unknown): boolean =>
  cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '');

export const isCell = (cell: unknown): boolean =>
  cell === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof cell);

/** A number past what numbers hold exactly has lost digits on its way, and would name somebody else. */
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

const longestName = 200;

export const readName: ReadCell = (cell) => {
  const text = textOf(cell)?.trim();
  return text === undefined || text.length > longestName
    ? misfit('not_a_name', `text of at most ${longestName} characters`)
    : { value: text };
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
