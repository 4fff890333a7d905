import type { FieldError } from './failure.ts';

const deepest = 32;

/**
 * The first string in a request that the database could not store as it came: a NUL or half a surrogate pair.
 * Also refuses nesting deeper than any input has use for.
 */
export function findHostileText(value: unknown, pointer = '', depth = 0): FieldError | undefined {
  if (typeof value === 'string') return isHostile(value) ? refusal(pointer, 'not_text') : undefined;
  if (value === null || typeof value !== 'object') return undefined;
  if (depth >= deepest) return tooDeep(pointer);
  for (const [key, inner] of Object.entries(value)) {
    if (isHostile(key)) return refusal(pointer, 'not_text');
    const found = findHostileText(inner, `${pointer}/${escapePointer(key)}`, depth + 1);
    if (found) return found;
  }
  return undefined;
}

/** Whether arrays and objects are nested deeper than the limit. */
export function nestsDeeper(value: unknown, than: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  return than === 0 || Object.values(value).some((inner) => nestsDeeper(inner, than - 1));
}

export const escapePointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

export const isHostile = (text: string): boolean => text.includes('\0') || !text.isWellFormed();

export const tooDeep = (pointer: string): FieldError => refusal(pointer, 'too_deep');

function refusal(pointer: string, code: 'not_text' | 'too_deep'): FieldError {
  const detail =
    code === 'not_text'
      ? 'Text may not hold NUL characters or unpaired surrogates.'
      : `Nesting deeper than ${deepest} is not accepted.`;
  return { pointer: pointer.slice(0, 500).toWellFormed(), code, detail };
}
