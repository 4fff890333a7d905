import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sealer } from '../../../src/kernel/sealer.ts';
import { keyring } from '../../../src/main/keys.ts';
import { tries } from '../../support/volume.ts';

const newKey = () => randomBytes(32);

test('whatever was sealed opens as it was, for the place it was sealed for and no other', () => {
  const one = sealer([newKey()]);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), fc.string(), fc.string(), (bytes, place, elsewhere) => {
      const sealed = one.seal(Buffer.from(bytes), place);
      expect(one.open(sealed, place)).toEqual(Buffer.from(bytes));
      fc.pre(elsewhere !== place);
      expect(one.open(sealed, elsewhere)).toBeUndefined();
    }),
    tries(1_000),
  );
});

test('text is sealed as UTF-8', () => {
  const one = sealer([newKey()]);
  expect(one.open(one.seal('Прощание 🎉', 'here'), 'here')?.toString('utf8')).toBe('Прощание 🎉');
});

test('the same text sealed again looks different, and nothing of it can be read', () => {
  const one = sealer([newKey()]);
  const sealed = Array.from({ length: 200 }, () => one.seal('a secret that is plain to see', 'here'));
  expect(new Set(sealed.map((each) => each.toString('hex'))).size).toBe(200);
  // The id of the key is the same; the nonce, the tag and the text never are.
  expect(new Set(sealed.map((each) => each.subarray(4, 16).toString('hex'))).size).toBe(200);
  for (const each of sealed) expect(each.includes('secret')).toBe(false);
});

test('with any one bit turned it does not open', () => {
  const one = sealer([newKey()]);
  const sealed = one.seal('what was sealed', 'here');
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const turned = Buffer.from(sealed);
    turned[bit >> 3]! ^= 1 << (bit & 7);
    expect(one.open(turned, 'here')).toBeUndefined();
  }
});

test('cut short, made longer or empty it does not open', () => {
  const one = sealer([newKey()]);
  const sealed = one.seal('what was sealed', 'here');
  for (let length = 0; length < sealed.length; length++) {
    expect(one.open(sealed.subarray(0, length), 'here')).toBeUndefined();
    expect(one.open(sealed.subarray(sealed.length - length), 'here')).toBeUndefined();
  }
  expect(one.open(Buffer.concat([sealed, Buffer.alloc(1)]), 'here')).toBeUndefined();
  expect(one.open(randomBytes(100_000), 'here')).toBeUndefined();
});

test('nothing can be sealed as well: an empty text is not the same as none', () => {
  const one = sealer([newKey()]);
  expect(one.open(one.seal('', ''), '')).toEqual(Buffer.alloc(0));
});

test('the first key seals and every key opens, in whatever order; a key that was dropped does not', () => {
  const [older, newer, other] = [newKey(), newKey(), newKey()];
  const [before, during, after] = [sealer([older]), sealer([newer, older]), sealer([newer])];
  const [old, fresh] = [before.seal('old', 'here'), during.seal('fresh', 'here')];
  expect(during.open(old, 'here')?.toString()).toBe('old');
  expect(during.open(fresh, 'here')?.toString()).toBe('fresh');
  expect(after.open(fresh, 'here')?.toString()).toBe('fresh');
  expect(after.open(old, 'here')).toBeUndefined();
  expect(before.open(fresh, 'here')).toBeUndefined();
  expect(sealer([other, newer, older]).open(old, 'here')?.toString()).toBe('old');
});

describe('the keyring', () => {
  const secret = 'one secret with at least thirty-two letters';
  const other = 'another secret of at least thirty-two letters';

  test('what is sealed for one purpose does not open for another', () => {
    const { tokens, stored } = keyring({ ROSTRUM_SECRET: secret });
    expect(stored.open(tokens.seal('a token', 'here'), 'here')).toBeUndefined();
    expect(tokens.open(stored.seal('a key', 'here'), 'here')).toBeUndefined();
  });

  test('two processes with one secret open what the other sealed; with another secret they do not', () => {
    const sealed = keyring({ ROSTRUM_SECRET: secret }).tokens.seal('a token', 'here');
    expect(keyring({ ROSTRUM_SECRET: secret }).tokens.open(sealed, 'here')?.toString()).toBe('a token');
    expect(keyring({ ROSTRUM_SECRET: other }).tokens.open(sealed, 'here')).toBeUndefined();
  });

  test('sealing secrets take the place of the secret; listed behind a new one it still opens', () => {
    const sealed = keyring({ ROSTRUM_SECRET: secret }).tokens.seal('a token', 'here');
    const openWith = (...secrets: string[]) =>
      keyring({ ROSTRUM_SECRET: secret, ROSTRUM_SEALING_SECRETS: secrets })
        .tokens.open(sealed, 'here')
        ?.toString();
    expect(openWith(secret)).toBe('a token');
    expect(openWith(other, secret)).toBe('a token');
    expect(openWith(other)).toBeUndefined();
  });
});
