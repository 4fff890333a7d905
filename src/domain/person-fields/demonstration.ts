/** SQL for a number from 0 to below `most` that follows from n and nothing else: another salt is another, independent one. */
export const drawnNumber = (salt: number, most: number): string =>
  `((hashint8extended(n, ${salt}) & 2147483647) % ${most})`;

/** SQL for one of the words, in the same way. */
export const drawnWord = (salt: number, words: readonly string[]): string =>
  `(array[${words.map((word) => `'${word}'`).join(',')}])[1 + ${drawnNumber(salt, words.length)}]`;
