import { codeAt, stepAt } from '../../src/domain/accounts/totp.ts';

/** The secret that the page for setting up an app shows. */
export function secretOfPage(page: string): Buffer {
  const [, key = ''] = /class="key">([^<]+)</.exec(page) ?? [];
  const bits = Array.from(key.replaceAll(' ', ''), (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The code that an app shows for it. */
export const codeOfPage = (page: string, now: Date): string => codeAt(secretOfPage(page), stepAt(now));
