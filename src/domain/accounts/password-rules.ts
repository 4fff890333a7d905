import type { AccountEmail } from './email.ts';

export const fewestCharacters = 10;
/** More is hashed no better, and takes as long to send as it likes. */
const mostCharacters = 200;

let common: Promise<ReadonlySet<string>> | undefined;

/** Why a password may not be chosen, as a sentence; nothing if it may. */
export async function whyNotPassword(password: string, email: AccountEmail): Promise<string | undefined> {
  const length = Array.from(password.normalize('NFKC')).length;
  if (length < fewestCharacters) return `Use at least ${fewestCharacters} characters.`;
  if (length > mostCharacters) return `Use at most ${mostCharacters} characters.`;
  common ??= readCommon();
  const known = await common;
  const own = new Set(['rostrum', email, ...email.split('@'), email.split('@')[1]!.split('.')[0]!]);
  for (const core of coresOf(password))
    if (known.has(core) || own.has(core) || new Set(core).size < 4)
      return 'This password is among the first that are guessed. Choose another.';
  return undefined;
}

/** What a guesser begins with: the password in lower case, and without what people put around a word. */
function coresOf(password: string): string[] {
  const lower = password.normalize('NFKC').toLowerCase();
  const word = lower.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const letters = word.replaceAll(/[@4310$5]/g, (sign) => letterOf[sign]!);
  return [lower, ...(word === '' ? [] : [word, letters])];
}

const letterOf: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
};

/** 49,000 passwords, read when the first one is chosen: most processes never need them. */
async function readCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}
