import { domainOf } from '../ledger/domain-of.ts';

/** Whether a test organization's message really goes to this address: the list has the address or its whole domain. */
export const mayReceive = (testRecipients: readonly string[], address: string): boolean =>
  testRecipients.includes(address.toLowerCase()) ||
  (address.includes('@') && testRecipients.includes(`@${domainOf(address)}`));
