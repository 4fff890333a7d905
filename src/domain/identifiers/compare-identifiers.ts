import type { Work } from '../../database/work.ts';
import { readCountry } from '../orgs/default-country.ts';
import type { IdentifierType } from './identifier.ts';
import { comparePhone, isInternational } from './phone-number.ts';

/** An identifier as it is compared and stored, and as it was typed where that differs. */
export interface SentIdentifier {
  readonly type: IdentifierType;
  readonly value: string;
  readonly typed?: string | undefined;
}

export const comparable = (
  type: IdentifierType,
  value: string,
  country: string | null,
): Readonly<SentIdentifier> => {
  const compared = type === 'phone' ? comparePhone(value, country) : value;
  return compared === value ? { type, value } : { type, value: compared, typed: value };
};

/** Identifiers in the form in which they are compared. Reads the organization's country only if a number needs one. */
export const compareIdentifiers = async (
  work: Work,
  sent: readonly SentIdentifier[],
): Promise<SentIdentifier[]> => (await compareAll(work, [sent]))[0]!;

/** The same of many people. */
export async function compareAll(
  work: Work,
  all: readonly (readonly SentIdentifier[])[],
): Promise<SentIdentifier[][]> {
  const country = all.some((sent) => sent.some(needsCountry)) ? await readCountry(work) : null;
  return all.map((sent) => sent.map(({ type, value }) => comparable(type, value, country)));
}

const needsCountry = ({ type, value }: SentIdentifier): boolean =>
  type === 'phone' && !isInternational(value);
