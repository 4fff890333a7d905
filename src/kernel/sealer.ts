import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Encrypts so that only the key reads or changes the text, and only for the purpose and place it was sealed for. */
export interface Sealer {
  seal(plain: string | Buffer, place: string): Buffer;
  /** Nothing, if it was not sealed here for this place, or by a key that is no longer known. */
  open(sealed: Buffer, place: string): Buffer | undefined;
}

const idLength = 4;
const nonceLength = 12;
const tagLength = 16;

/** The first key seals, every key opens: a new one is put in front, and the old one dropped when nothing needs it. */
export function sealer(keys: readonly [Buffer, ...Buffer[]]): Sealer {
  const idOf = (key: Buffer): Buffer => createHash('sha256').update(key).digest().subarray(0, idLength);
  const [first] = keys;
  return {
    seal(plain, place) {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', first, nonce).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(Buffer.from(plain)), cipher.final()]);
      return Buffer.concat([idOf(first), nonce, cipher.getAuthTag(), sealed]);
    },
    open(sealed, place) {
      if (sealed.length < idLength + nonceLength + tagLength) return undefined;
      const key = keys.find((one) => idOf(one).equals(sealed.subarray(0, idLength)));
      if (key === undefined) return undefined;
      const body = sealed.subarray(idLength);
      const decipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, nonceLength))
        .setAAD(Buffer.from(place))
        .setAuthTag(body.subarray(nonceLength, nonceLength + tagLength));
      try {
        const text = decipher.update(body.subarray(nonceLength + tagLength));
        return Buffer.concat([text, decipher.final()]);
      } catch {
        return undefined; // not what was sealed, or for another place
      }
    },
  };
}
