import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

const kinds = {
  es256: () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
  rs256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  edDsa: () => generateKeyPairSync('ed25519'),
};

/** What an authenticator and its browser say; anything may be said otherwise than it is. */
export interface Said {
  readonly challenge: string;
  readonly origin: string;
  readonly host: string;
  readonly type?: string;
  readonly flags?: number;
  readonly crossOrigin?: boolean;
}

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();

/** An authenticator in software that does what it is told, as a real one would not. */
export class Authenticator {
  readonly credentialId = randomBytes(32);
  readonly publicKey: Buffer;
  readonly #key: KeyObject;
  counter = 0;
  userHandle = Buffer.alloc(0);

  constructor(kind: keyof typeof kinds = 'es256') {
    const { privateKey, publicKey } = kinds[kind]();
    this.#key = privateKey;
    this.publicKey = publicKey.export({ format: 'der', type: 'spki' });
  }

  /** The fields of the form that adds a passkey. */
  make = (said: Said): Record<string, string> => ({
    name: 'A key',
    client_data: this.#clientData('webauthn.create', said).toString('base64url'),
    authenticator_data: Buffer.concat([
      this.#head({ flags: 0x45, ...said }),
      Buffer.alloc(16),
      Buffer.from([0, this.credentialId.length]),
      this.credentialId,
    ]).toString('base64url'),
    public_key: this.publicKey.toString('base64url'),
  });

  /** The fields of the form that signs in. */
  show(said: Said): Record<string, string> {
    const clientData = this.#clientData('webauthn.get', said);
    const authenticatorData = this.#head({ flags: 5, ...said });
    const data = Buffer.concat([authenticatorData, sha256(clientData)]);
    const digest = this.#key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
    return {
      credential_id: this.credentialId.toString('base64url'),
      user_handle: this.userHandle.toString('base64url'),
      client_data: clientData.toString('base64url'),
      authenticator_data: authenticatorData.toString('base64url'),
      signature: sign(digest, data, this.#key).toString('base64url'),
    };
  }

  #clientData = (usual: string, { challenge, origin, type = usual, crossOrigin = false }: Said): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));

  #head({ host, flags }: Said & { flags: number }): Buffer {
    const rest = Buffer.alloc(5);
    rest[0] = flags;
    rest.writeUInt32BE(this.counter, 1);
    return Buffer.concat([sha256(host), rest]);
  }
}
