import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';

/** Where passkeys of this installation are good: pages of this origin, under this host. */
export interface Site {
  readonly origin: string;
  readonly host: string;
}

export const algorithms = { es256: -7, edDsa: -8, rs256: -257 };

/** The challenge that was signed, if a page of ours asked for this kind of signature (Web Authentication, 5.8.1). */
export function readClientData(
  bytes: Buffer,
  type: 'webauthn.create' | 'webauthn.get',
  { origin }: Site,
): string | undefined {
  const data = readJson(bytes);
  const isOurs = data['type'] === type && data['origin'] === origin && data['crossOrigin'] !== true;
  return isOurs && typeof data['challenge'] === 'string' ? data['challenge'] : undefined;
}

function readJson(bytes: Buffer): Record<string, unknown> {
  try {
    return Object(JSON.parse(bytes.toString('utf8'))) as Record<string, unknown>;
  } catch {
    return {};
  }
}

interface AuthenticatorData {
  readonly counter: number;
  /** Of a new passkey. */
  readonly credentialId: Buffer | undefined;
}

const flags = { present: 1, verified: 4, hasCredential: 64 };
const headLength = 37;
const idAt = 55;

/**
 * What the authenticator says, if it is about our host and its owner was there and proved it, by finger, face or PIN
 * (Web Authentication, 6.1).
 */
export function readAuthenticatorData(bytes: Buffer, { host }: Site): AuthenticatorData | undefined {
  if (bytes.length < headLength || !bytes.subarray(0, 32).equals(sha256(Buffer.from(host)))) return undefined;
  const given = bytes[32]!;
  if ((given & flags.present) === 0 || (given & flags.verified) === 0) return undefined;
  return {
    counter: bytes.readUInt32BE(33),
    credentialId: (given & flags.hasCredential) === 0 ? undefined : readCredentialId(bytes),
  };
}

function readCredentialId(bytes: Buffer): Buffer | undefined {
  if (bytes.length < idAt) return undefined;
  const id = bytes.subarray(idAt, idAt + bytes.readUInt16BE(idAt - 2));
  return id.length > 0 && id.length === bytes.readUInt16BE(idAt - 2) ? id : undefined;
}

/** A public key as browsers hand it out, if it is one of the three kinds we asked for. */
export function readPublicKey(spki: Buffer): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    return isAskedFor(key) ? key : undefined;
  } catch {
    return undefined;
  }
}

function isAskedFor({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (asymmetricKeyType === 'ed25519') return true;
  if (asymmetricKeyType === 'ec') return asymmetricKeyDetails?.namedCurve === 'prime256v1';
  const bits = asymmetricKeyDetails?.modulusLength ?? 0;
  return asymmetricKeyType === 'rsa' && bits >= 2048 && bits <= 4096;
}

export interface Signed {
  readonly authenticatorData: Buffer;
  readonly clientData: Buffer;
  readonly signature: Buffer;
}

/** Whether the key signed it. For RSA, Node pads as RS256 does unless told otherwise. */
export function isSignedBy(spki: Buffer, { authenticatorData, clientData, signature }: Signed): boolean {
  const key = readPublicKey(spki);
  if (key === undefined) return false;
  const data = Buffer.concat([authenticatorData, sha256(clientData)]);
  return verify(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', data, key, signature);
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
