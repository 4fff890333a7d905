import { domainToASCII } from 'node:url';

/** Who receives for an address: what stands behind its last @, as DNS is asked for it. */
export function domainOf(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return domainToASCII(domain) || domain.toLowerCase(); // the converter answers nothing for what is no domain
}
