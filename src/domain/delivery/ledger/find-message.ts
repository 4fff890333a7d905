import type { Keyring } from '../../../database/work.ts';
import { readToken, type TokenOf } from './delivery-token.ts';

const mostTries = 20;

/**
 * Finds which of our messages a text names, by Message-ID or by bounce address. Every reader of an archive knows the
 * Message-ID, so callers must also judge who sent the text. Other ids in the text are ignored.
 */
export function findMessage(
  keys: Pick<Keyring, 'macs'>,
  texts: readonly (string | undefined)[],
): TokenOf | undefined {
  let tries = 0;
  for (const text of texts) {
    for (const [, prefix, token = ''] of (text ?? '').matchAll(/(?<![0-9a-z])(b-)?([0-9a-z]{59})@/gi)) {
      const found = readToken(keys, prefix === undefined ? 'message' : 'bounce', token);
      if (found !== undefined) return found;
      if (++tries >= mostTries) return undefined;
    }
  }
  return undefined;
}
