import type { Keyring } from '../../database/work.ts';
import { readToken, type TokenOf } from './delivery-token.ts';

const mostTries = 20;

/**
 * Which of our messages a text names: by its Message-ID or by the address its bounces go to, which only those have who
 * got the message or carried it. Other ids in the text are nothing to us.
 */
export function findMessage(
  keys: Pick<Keyring, 'mac'>,
  texts: readonly (string | undefined)[],
): TokenOf | undefined {
  let tries = 0;
  for (const text of texts) {
    for (const [, token = ''] of (text ?? '').matchAll(/(?<![0-9a-z])(?:b-)?([0-9a-z]{59})@/gi)) {
      const found = readToken(keys, 'bounce', token);
      if (found !== undefined) return found;
      if (++tries >= mostTries) return undefined;
    }
  }
  return undefined;
}
