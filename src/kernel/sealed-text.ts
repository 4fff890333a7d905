import type { Sealer } from './sealer.ts';

/** Seals what callers hold and send back, in letters that need no escaping anywhere. */
export const sealText = (sealer: Sealer, plain: string | Buffer, place: string): string =>
  sealer.seal(plain, place).toString('base64url');

/** Undefined unless the text is exactly as it was given out: decoding base64url also accepts other spellings. */
export function openText(sealer: Sealer, text: string, place: string): Buffer | undefined {
  const sealed = Buffer.from(text, 'base64url');
  return sealed.toString('base64url') === text ? sealer.open(sealed, place) : undefined;
}
