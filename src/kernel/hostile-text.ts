import type { FieldError } from './failure.ts';

const deepest = 32;

/**
 * The first string in a request that the database could not store as it came: a NUL or half a surrogate pair.
 * Also refuses nesting deeper than any input has use for.
 */
export function findHostileText(value: unknown): FieldError | undefined {
  const found = find(value, 0);
  return found && refusal(found.steps.map((step) => `/${escapePointer(step)}`).join(''), found.code);
}

type Code = 'not_text' | 'too_deep';

interface Found {
  readonly code: Code;
  /** The keys that lead there. */
  readonly steps: string[];
}

/** Says where only on the way back: a pointer for each of thousands of cells took as long as looking at them. */
function find(value: unknown, depth: number): Found | undefined {
  if (typeof value === 'string') return isHostile(value) ? { code: 'not_text', steps: [] } : undefined;
  if (value === null || typeof value !== 'object') return undefined;
  if (depth >= deepest) return { code: 'too_deep', steps: [] };
  for (const key of Object.keys(value)) {
    if (isHostile(key)) return { code: 'not_text', steps: [] };
    const found = find((value as Record<string, unknown>)[key], depth + 1);
    if (found === undefined) continue;
    found.steps.unshift(key);
    return found;
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

function refusal(pointer: string, code: Code): FieldError {
  const detail =
    code === 'not_text'
      ? 'Text may not hold NUL characters or unpaired surrogates.'
      : `Nesting deeper than ${deepest} is not accepted.`;
  return { pointer: pointer.slice(0, 500).toWellFormed(), code, detail };
}
