/**
 * Whether a text asks us to stop. A mistaken opt-out costs a message; a missed one costs trust and breaks the law. So a
 * doubtful text is a stop, within these limits:
 *
 * - the words themselves, in any case and with any punctuation, alone or several of them: "Stop!!", "stop stop";
 * - in a sentence of up to ten words, an unambiguous word counts anywhere ("please stop texting me"), a word with other
 *   uses ("when does it end?") only at the beginning ("cancel these please");
 * - a longer text is a stop only if it opens with the word as its own sentence ("STOP. I have told you so often…");
 * - a negated word is no stop ("don't stop", "never unsubscribe me"), nor is "stop by".
 *
 * No word opts back in: only the person's own act elsewhere, or a call of set_opt_outs, does.
 */
export function asksToStop(text: string): boolean {
  const said = withoutReaction(text)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[’‘`´]/g, "'");
  const words = wordsOf(said);
  const [opening = ''] = said.trim().split(/[.!?,;:\n\r]/, 1);
  if (isStopWords(wordsOf(opening)) || isStopWords(words)) return true;
  return words.length <= longestSentence && sentenceStops(words);
}

const longestSentence = 10;

const plain = new Set(['stop', 'stopall', 'unsubscribe', 'optout', 'revoke']);
const ambiguous = new Set(['cancel', 'end', 'quit']);
const courtesy = new Set([
  'please',
  'pls',
  'plz',
  'kindly',
  'just',
  'hi',
  'hello',
  'hey',
  'ok',
  'okay',
  'no',
  'yes',
]);
const denials = new Set(
  "don't dont not never can't cant cannot won't wont wouldn't shouldn't couldn't non without".split(' '),
);
/** Words that may come between a negation and the stop word: "don't ever stop", "I do not want to unsubscribe". */
const between = new Set(['ever', 'want', 'wanna', 'need', 'wish', 'like', 'to']);

/** Joins two words into one: opt out, opt-out, stop all; and "opt me out". */
const wordsOf = (said: string): string[] =>
  (said.match(/[\p{L}\p{N}']+/gu) ?? [])
    .join(' ')
    .replaceAll(/\bopt (me |us )?out\b/g, 'optout')
    .replaceAll(/\bstop all\b/g, 'stopall')
    .split(' ')
    .filter((word) => word !== '');

const isStopWords = (words: readonly string[]): boolean =>
  words.length > 0 && words.every((word) => plain.has(word) || ambiguous.has(word));

function sentenceStops(words: readonly string[]): boolean {
  const first = words.find((word) => !courtesy.has(word));
  if (first !== undefined && ambiguous.has(first)) return true;
  return words.some(
    (word, at) =>
      plain.has(word) && !isDenied(words.slice(0, at)) && !(word === 'stop' && words[at + 1] === 'by'),
  );
}

function isDenied(before: readonly string[]): boolean {
  const last = before.findLast((word) => !between.has(word));
  return last !== undefined && denials.has(last);
}

/** Drops a reaction: phones send a thumbs-up as a text that quotes our message, which may contain the stop words. */
const withoutReaction = (text: string): string =>
  text.replace(
    /^\s*(?:liked|loved|disliked|laughed at|emphasi[sz]ed|questioned|reacted \S+ to|removed an? .{1,20} from)\s+[“"].*[”"]\s*$/is,
    '',
  );
