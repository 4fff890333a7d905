import type { Sealer } from './sealer.ts';

/** What callers hold and bring back: sealed, in letters that need no escaping anywhere. */
export const sealText = (sealer: Sealer, plain: string | Buffer, place: string): string =>
  sealer.seal(plain, place).toString('base64url');

/** Nothing, unless it comes back exactly as it was given: reading such letters forgives much, and that is no proof. */
export function openText(sealer: Sealer, text: string, place: string): Buffer | undefined {
  const sealed = Buffer.from(text, 'base64url');
  return sealed.toString('base64url') === text ? sealer.open(sealed, place) : undefined;
}
