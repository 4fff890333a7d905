import { domainOf } from './domain-of.ts';

/** Whether a test organization's message goes to this address for real: it is on the list itself, or its whole domain is. */
export function mayReally(testRecipients: readonly string[], address: string): boolean {
  const folded = address.toLowerCase();
  return testRecipients.includes(folded) || testRecipients.includes(`@${domainOf(address)}`);
}
