import type { Random } from './random.ts';

/** Words that are told apart, or not, only by what a comparison does with case, accents and wildcards. */
const words = [
  ...'Ada ada ADA Adam Bo bo Zoe Zoë ZOË Åsa åsa ÅSA Ångström É é Đặng đặng'.split(' '),
  ...'Οδυσσεύς ΟΔΥΣΣΕΎΣ οδυσσεύσ ΟΔΟΣ οδος οδοσ ς σ Σ Σωκράτης ΣΩΚΡΆΤΗΣ σωκράτησ ὅσος ὅσοσ ΌΣΟΣ'.split(' '),
  ...'Straße STRASSE STRAẞE İzmir izmir IZMIR ızmır ﬁn FIN ǅep ǆep ǄEP Ирина ИРИНА 王小明 محمد'.split(' '),
  ...'kelvin 𐐀𐐨 𐐨𐐨 Ⅷ ⅷ 👩‍👩‍👧 👩 👍🏽 👍 100% 100 100_ 1000 % _ %% __ a%b a_b axb A_B'.split(' '),
  ...String.raw`\ \\ \% a\b a\_b O'Brien o'brien "quoted" -- ; null NULL true now 0 -0 1e3 {} [] $1`.split(
    ' ',
  ),
  ...'Zoe\u0308|e\u0301|\u212Aelvin|/* */|a\nb|a\tb|\u00a0|{{name}}'.split('|'),
];

export const word = (random: Random): string => random.pick(words);

/** One word, or a few of them in a row. */
export const phrase = (random: Random): string =>
  random.weighted(
    [5, () => word(random)],
    [2, () => `${word(random)} ${word(random)}`],
    [1, () => word(random) + word(random) + word(random)],
  );

const beginnings = ['Dear all, this is what was said: '.repeat(4), 'Ναί, ἀγαπητοί — 100% '.repeat(8)];

/**
 * Texts around and beyond what an index entry may hold, alike for long stretches: some differ in their last letter
 * alone, some by case, some in how many bytes the same number of letters takes.
 */
export function longText(random: Random): string {
  const length = random.pick([499, 500, 501, 502, 600, 2_000, 8_000, 8_100, 8_192]);
  const end = random.pick(['a', 'b', 'A', 'é', 'é%', '_z', ' The End', ' the end']);
  const text = random.pick(beginnings) + 'lorem ipsum '.repeat(700);
  const cut = text.slice(0, length - end.length) + end;
  if (length > 502 || random.chance(0.3)) return cut;
  return cutToBytes(text, length - Buffer.byteLength(end)) + end;
}

function cutToBytes(text: string, bytes: number): string {
  const letters = Array.from(text.slice(0, bytes));
  while (Buffer.byteLength(letters.join('')) > bytes) letters.pop();
  return letters.join('').padEnd(letters.join('').length + bytes - Buffer.byteLength(letters.join('')), '.');
}

/** The text, or one that only a careless comparison takes for it. */
export const nearlySame = (random: Random, text: string): string =>
  random.weighted(
    [8, () => text],
    [4, () => recase(random, text)],
    [2, () => random.pick([` ${text}`, `${text} `, ` ${text}\t`, text.trim()])],
    [1, () => accentless(text)],
    [2, () => text.slice(0, -1).toWellFormed() + random.pick(['a', 'b', 'A', 'é'])],
  );

/** Letters that stand in the text, in some case; or that would, if wildcards or hashes of it were looked at. */
export function nearlyPartOf(random: Random, text: string): string {
  const part = recase(random, partOf(random, text)) || word(random);
  const sigmas = /[σςΣ]/g;
  if (part.match(sigmas) && random.chance(0.8)) return part.replaceAll(sigmas, random.pick(['σ', 'ς', 'Σ']));
  const letters = Array.from(part);
  const middle = random.int(0, letters.length - 1);
  return random.weighted(
    [10, () => part],
    [4, () => random.pick(Array.from('%_\\-–. \'"0123456789abcdefxyz'))],
    [2, () => letters.with(middle, random.pick(['%', '_'])).join('')],
    [2, () => letters.toSpliced(middle, 0, random.pick(['%', '\\', '\\'])).join('')],
    [1, () => accentless(part) || part],
  );
}

export const accentless = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '');

/** The same letters in another case, most of the time. */
const recase = (random: Random, text: string): string =>
  random.weighted(
    [1, () => text],
    [2, () => text.toUpperCase()],
    [2, () => text.toLowerCase()],
    [1, () => Array.from(text, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('')],
  );

/** Some letters in a row, never half of one; of a long text often its last. */
function partOf(random: Random, text: string): string {
  const letters = Array.from(text);
  const length = random.weighted(
    [5, () => random.int(1, 4)],
    [2, () => random.int(5, 40)],
    [1, () => letters.length],
  );
  const last = Math.max(0, letters.length - length);
  const start = random.weighted([1, () => 0], [2, () => last], [2, () => random.int(0, last)]);
  return letters.slice(start, start + length).join('');
}
