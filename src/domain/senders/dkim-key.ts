import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { OrgId, SendingDomainId } from '../../kernel/ids.ts';
import type { Sealer } from '../../kernel/sealer.ts';

// What every receiver checks: 1,024 bits are too few for many, and 4,096 do not fit into one DNS answer over UDP.
const bits = 2_048;

export interface DkimKey {
  /** As it stands behind p= in DNS. */
  readonly publicKey: string;
  readonly sealedPrivateKey: Buffer;
}

/** Where a key belongs: sealed for one domain of one organization, it opens for no other. */
const placeOf = (org: OrgId, domain: SendingDomainId): string => `dkim key of ${org} ${domain}`;

export async function newDkimKey(stored: Sealer, org: OrgId, domain: SendingDomainId): Promise<DkimKey> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: bits });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  return { publicKey: inDns(publicKey), sealedPrivateKey: stored.seal(pem, placeOf(org, domain)) };
}

/**
 * The key that signs for a domain. Throws when the key cannot be opened or does not match the public key in DNS: with a
 * bad key a mailer silently sends unsigned.
 */
export function openDkimKey(
  stored: Sealer,
  org: OrgId,
  domain: { id: SendingDomainId; dkim_public_key: string; dkim_private_key: Buffer },
): KeyObject {
  const pem = stored.open(domain.dkim_private_key, placeOf(org, domain.id));
  if (pem === undefined) throw new Error(`the DKIM key of ${domain.id} cannot be opened`);
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'rsa' || inDns(createPublicKey(key)) !== domain.dkim_public_key) {
    throw new Error(`the DKIM key of ${domain.id} is not the one in its DNS record`);
  }
  return key;
}

const inDns = (key: KeyObject): string => key.export({ type: 'spki', format: 'der' }).toString('base64');
