import { X509Certificate, type KeyObject } from 'node:crypto';

/** As `fetch` does it, for what we ask of it. */
export type Fetch = (
  url: string,
  init: { readonly redirect: 'error'; readonly signal: AbortSignal },
) => Promise<Response>;

const fetchMs = 5_000;
const largestAnswer = 32 * 1024;
const mostCertificates = 8; // Amazon changes them about once a year

/** Whether an address is Amazon's notification service itself: no other host may vouch for a message or be called. */
export function isSnsUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    url.protocol === 'https:' &&
    /^sns\.[a-z0-9-]+\.amazonaws\.com$/.test(url.hostname) &&
    url.port === '' &&
    url.username === '' &&
    url.password === ''
  );
}

/** Gets one small document from Amazon: no redirects, not for long, not much. */
export async function fetchSmall(fetch: Fetch, url: string): Promise<string> {
  if (!isSnsUrl(url)) throw new Error('not an address of SNS');
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(fetchMs) });
  if (!response.ok || response.body === null) throw new Error(`SNS answered ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > largestAnswer) throw new Error('SNS answered too much');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Keys by the address of their certificate, each fetched once; what could not be had is asked for again. */
export function signingKeys(fetch: Fetch): (url: string, now: Date) => Promise<KeyObject> {
  const known = new Map<string, Promise<X509Certificate>>();
  const fetched = (url: string): Promise<X509Certificate> => {
    const found = known.get(url);
    if (found !== undefined) return found;
    const [oldest] = known.keys();
    if (known.size >= mostCertificates && oldest !== undefined) known.delete(oldest);
    const fetching = fetchSmall(fetch, url).then((pem) => new X509Certificate(pem));
    known.set(url, fetching);
    fetching.catch(() => known.delete(url));
    return fetching;
  };
  return async (url, now) => {
    const certificate = await fetched(url);
    if (now < certificate.validFromDate || now > certificate.validToDate) {
      known.delete(url);
      throw new Error('the certificate is not valid now');
    }
    return certificate.publicKey;
  };
}
