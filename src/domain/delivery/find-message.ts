import type { Keyring } from '../../database/work.ts';
import { readToken, type TokenOf } from './delivery-token.ts';

const mostTries = 20;

/**
 * Which of our messages a text names: by its Message-ID, which whoever reads an archive has, or by the address its
 * bounces go to. So what a caller does about it must rest on who says so. Other ids in the text are nothing to us.
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
