import type { KeyObject, X509Certificate } from 'node:crypto';
import { readCertificates, trustedTime, type CertificateTrust } from './certificate-chain.ts';

/** As `fetch` does it, for what we ask of it. */
export type Fetch = (
  url: string,
  init: { readonly redirect: 'error'; readonly signal: AbortSignal },
) => Promise<Response>;

const fetchMs = 5_000;
const largestAnswer = 32 * 1024;
const mostCertificates = 8; // Amazon changes them about once a year
const signerName = 'sns.amazonaws.com';

/** Fetches one document, without redirects and within limits of time and size. The caller has checked the address. */
export async function fetchSmall(fetch: Fetch, url: string): Promise<Buffer> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(fetchMs) });
  if (!response.ok || response.body === null) throw new Error(`it answered ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > largestAnswer) throw new Error('it answered too much');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export interface SigningKeys {
  readonly fetch: Fetch;
  readonly roots?: CertificateTrust['roots'];
}

interface Signer {
  readonly key: KeyObject;
  readonly from: Date;
  readonly until: Date;
}

/** Keys by the address of their certificate, each fetched and judged once. One that failed is fetched again. */
export function signingKeys({ fetch, roots }: SigningKeys): (url: string, now: Date) => Promise<KeyObject> {
  const known = new Map<string, Promise<Signer>>();
  const signerAt = (url: string): Promise<Signer> => {
    const found = known.get(url);
    if (found !== undefined) return found;
    const [oldest] = known.keys();
    if (known.size >= mostCertificates && oldest !== undefined) known.delete(oldest);
    const fetching = readSigner(url);
    known.set(url, fetching);
    fetching.catch(() => known.delete(url));
    return fetching;
  };
  const readSigner = async (url: string): Promise<Signer> => {
    const chain = readCertificates(await fetchSmall(fetch, url));
    const time = await trustedTime(chain, { roots, fetchIssuer });
    if (time === undefined || chain[0]!.checkHost(signerName) === undefined)
      throw new Error('the certificate is not one of SNS');
    return { key: chain[0]!.publicKey, ...time };
  };
  /** Amazon's own, which it serves without TLS. */
  const fetchIssuer = async (url: string): Promise<X509Certificate | undefined> =>
    /^http:\/\/crt\.[a-z0-9]+\.amazontrust\.com\/[a-z0-9]+\.cer$/.test(url)
      ? readCertificates(await fetchSmall(fetch, url))[0]
      : undefined;

  return async (url, now) => {
    const { key, from, until } = await signerAt(url);
    if (now >= from && now <= until) return key;
    known.delete(url);
    throw new Error('the certificate is not valid now');
  };
}
