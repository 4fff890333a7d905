import { domainToASCII } from 'node:url';

/** The receiving domain of an address: the part after its last @, in the form that DNS queries use. */
export function domainOf(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return domainToASCII(domain) || domain.toLowerCase(); // domainToASCII returns '' for an invalid domain
}
