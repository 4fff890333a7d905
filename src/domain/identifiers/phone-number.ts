/**
 * A phone number as networks compare and dial it, or nothing if it is not a whole international one. The same rule as
 * dialed() and the address check of broadcasts in SQL: spaces, dots, dashes and brackets are how people write.
 */
export function toE164(phone: string): string | undefined {
  const dialed = phone.replaceAll(/[ ().-]/g, '');
  return /^\+[1-9]\d{6,14}$/.test(dialed) ? dialed : undefined;
}
