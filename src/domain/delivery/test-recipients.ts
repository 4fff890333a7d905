import { domainOf } from './domain-of.ts';

/** Whether a test organization's message goes to this address for real: it is on the list itself, or its whole domain is. */
export const mayReally = (testRecipients: readonly string[], address: string): boolean =>
  testRecipients.includes(address.toLowerCase()) ||
  (address.includes('@') && testRecipients.includes(`@${domainOf(address)}`));
