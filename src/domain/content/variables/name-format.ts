// Latin letters and the characters between them in names. A name with any other is left as it was typed.
const latinName = /^[\p{Script=Latin}\p{M}\p{Zs}'’‘ʼ`´.,()"‐‑–-]+$/u;
const apostrophe = "'’‘ʼ`´";
const elided = new RegExp(`^([\\p{L}\\p{M}]+)([${apostrophe}])([\\p{L}\\p{M}]{2,})$`, 'u');
const chunk = new RegExp(`[\\p{L}\\p{M}${apostrophe}]+`, 'gu');

/** Written small between other names, and also where a family name begins with them. */
const smallAtStart = new Set(
  "van von vom de den der ter ten da das dos del zu zum zur af av 't ’t 's ’s".split(' '),
);
const smallBetween = new Set([...smallAtStart, 'do', 'bin', 'bint', 'ibn']);
const smallAfterDe = new Set(['la', 'las', 'los']);
const numerals = new Set(['ii', 'iii', 'iv', 'viii']);
const isTurkish = /[İıĞğ]/;
const elidedWords = new Set(['dell', 'dall', 'nell', 'degl', 'sant']);

/**
 * Repairs a carelessly typed name: each part all in upper case or all in lower case, or with the shift key inverted. A
 * name with any other mixture was typed with care, and only its blanks are repaired. A given name always begins with a
 * capital: Van Anh is no van der Berg.
 */
export function repairName(typed: string, part: 'given' | 'family' = 'family'): string {
  const kept = typed.trim().replaceAll(/\s+/g, ' ');
  const name = kept.normalize('NFC'); // only for names to repair: in some scripts NFC chooses another form of a letter
  if (!latinName.test(name) || !wasTypedWithoutCare(name) || isInitials(name)) return kept;
  if (!isTurkish.test(name) && /Ş/.test(name) && /.I/.test(name)) return kept; // IŞIK is Işık, or Romanian
  const letters = lettersOf(name);
  const words = letters.lower(name).split(' ');
  const typedWords = name.split(' ');
  const mayHaveInitials = /\p{Ll}{2}/u.test(name);
  const last = name.slice(name.lastIndexOf(' ') + 1);
  return words
    .map((word, at) => {
      const isLast = at === words.length - 1;
      const small = at === 0 ? smallAtStart : smallBetween;
      const staysSmall = small.has(word) || (smallAfterDe.has(word) && words[at - 1] === 'de');
      if (staysSmall && !isLast && !(at === 0 && part === 'given')) return word;
      if (isLast && at > 0 && numerals.has(last.toLowerCase())) return last.toUpperCase();
      if (mayHaveInitials && isInitials(typedWords[at]!)) return typedWords[at]!;
      return word.replaceAll(chunk, (one) => capitalize(one, letters.upper));
    })
    .join(' ');
}

function wasTypedWithoutCare(name: string): boolean {
  const cased = name.replaceAll('ß', ''); // has no upper case on any keyboard: WEIß is all upper
  const words = cased.match(/[\p{L}\p{M}]+/gu) ?? [];
  if (words.every((word) => !/\p{Lu}/u.test(word) || !/\p{Ll}/u.test(word))) return true;
  return /^\p{Ll}/u.test(words[0] ?? '') && words.every((word) => /^\p{L}\P{Ll}*$/u.test(word)); // jOHN
}

/** JP and TJ are how their owners write them, and so is the fourth of a name. */
const isInitials = (name: string): boolean =>
  /^\p{Lu}{2,4}$/u.test(name) &&
  (numerals.has(name.toLowerCase()) || (name.length < 4 && !/[AEIOUYÆØŒ]/.test(name.normalize('NFD'))));

/**
 * How letters change case. The host's locale has no say, and plain rules make i̇ of the Turkish İ, two characters; a name
 * that has letters of Turkish alone is Turkish, and its I is ı when small.
 */
function lettersOf(name: string) {
  const turkish = isTurkish.test(name);
  return {
    lower: (text: string): string =>
      (turkish ? text.replaceAll('I', 'ı').replaceAll('İ', 'i') : text).toLowerCase(),
    upper: (letter: string): string => {
      if (turkish && letter === 'i') return 'İ';
      const upper = letter.toUpperCase();
      return upper.length === letter.length ? upper : letter; // ß would become SS
    },
  };
}

/** One piece between hyphens, dots and blanks: O'Neil, D'Angelo, McDonald, but Ra'anan. */
function capitalize(piece: string, upper: (letter: string) => string): string {
  const first = (text: string): string => {
    const at = text.search(/\p{L}/u);
    if (at === -1) return text;
    const after = text.slice(at + 1);
    const rest = /^mc\p{L}{2}/u.test(text) ? after[0]! + upper(after[1]!) + after.slice(2) : after;
    return text.slice(0, at) + upper(text[at]!) + rest;
  };
  const [, before, mark, behind] = elided.exec(piece) ?? [];
  if (before === undefined || behind === undefined) return first(piece);
  const isElided = before.length === 1 || elidedWords.has(before);
  return isElided ? `${first(before)}${mark}${first(behind)}` : first(piece);
}
