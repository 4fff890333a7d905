import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';

const longestChain = 5;

/** The certificates of a PEM file, or the one of a DER file. */
export function readCertificates(file: Buffer): X509Certificate[] {
  const pems = file.toString('latin1').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  return pems === null ? [new X509Certificate(file)] : pems.map((pem) => new X509Certificate(pem));
}

export interface CertificateTrust {
  /** Trusted root certificates, as PEM. Default: those that come with Node. */
  readonly roots?: readonly string[] | undefined;
  /**
   * Servers leave out intermediate certificates. One is trusted for its signature alone, not for where it was fetched.
   */
  readonly fetchIssuer: (url: string) => Promise<X509Certificate | undefined>;
}

/** Follows a certificate to a trusted root, each link signed by the next. Returns the time in which all are valid. */
export async function trustedTime(
  [leaf, ...sent]: readonly X509Certificate[],
  { roots = rootCertificates, fetchIssuer }: CertificateTrust,
): Promise<{ readonly from: Date; readonly until: Date } | undefined> {
  const trusted = roots.map((pem) => new X509Certificate(pem));
  const links: X509Certificate[] = [];
  for (let link = leaf; link !== undefined && links.push(link) <= longestChain;) {
    if (links.length > 1 && !link.ca) return undefined;
    const root = trusted.find((one) => signs(one, link!));
    if (root !== undefined) return timeOf([...links, root]);
    const next = sent.find((one) => signs(one, link!)) ?? (await fetched(link, fetchIssuer));
    link = next !== undefined && signs(next, link) ? next : undefined;
  }
  return undefined;
}

/** A certificate may name the address of its issuer's. */
async function fetched(
  { infoAccess }: X509Certificate,
  fetchIssuer: CertificateTrust['fetchIssuer'],
): Promise<X509Certificate | undefined> {
  const url = /^CA Issuers - URI:(\S+)$/m.exec(infoAccess ?? '')?.[1];
  return url === undefined ? undefined : fetchIssuer(url);
}

const signs = (issuer: X509Certificate, of: X509Certificate): boolean =>
  of.checkIssued(issuer) && of.verify(issuer.publicKey);

const timeOf = (links: readonly X509Certificate[]) => ({
  from: new Date(Math.max(...links.map(({ validFromDate }) => validFromDate.getTime()))),
  until: new Date(Math.min(...links.map(({ validToDate }) => validToDate.getTime()))),
});
