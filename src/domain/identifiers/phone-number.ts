import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min';

/**
 * A phone number as networks compare and dial it, or nothing if it is not a whole international one. The same rule as
 * dialed() in SQL: spaces, dots, dashes and brackets are how people write.
 */
export function toE164(phone: string): string | undefined {
  const dialed = phone.replaceAll(/[ ().-]/g, '');
  return /^\+[1-9]\d{6,14}$/.test(dialed) ? dialed : undefined;
}

export const isInternational = (phone: string): boolean => phone.trimStart().startsWith('+');

/** Longer ones are no numbers, and are not worth reading. */
const longest = 50;

/**
 * A phone number as it is compared: in E.164 if it can be read so, one without a country as if dialed in this one. What
 * cannot is compared as it was written; an extension is no part of a number that can be dialed.
 */
export function comparePhone(phone: string, country: string | null): string {
  if (phone.length > longest || /^\+[1-9]\d{6,14}$/.test(phone)) return phone;
  const read = parsePhoneNumberFromString(phone, {
    extract: false,
    ...(country !== null && { defaultCountry: country as CountryCode }),
  });
  if (read?.ext !== undefined) return phone;
  return read?.isPossible() === true ? read.number : (toE164(phone) ?? phone);
}
