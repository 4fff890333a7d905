import { domainToASCII } from 'node:url';
import { z } from 'zod';
import type { Work } from '../../database/work.ts';
import { Failure } from '../../kernel/failure.ts';

/** ann@example.com, @example.com for every address there, +15550001111. */
const entry = /^([^\s@\p{Cc}]{0,64}@[^\s@\p{Cc}]+|\+[1-9]\d{6,14})$/u;

export const TestRecipients = z
  .array(
    z
      .string()
      .trim()
      .toLowerCase()
      .max(254)
      .regex(
        entry,
        'Must be an email address, @domain for all of one, or a phone number such as +15550001111.',
      ),
  )
  .max(100)
  .describe(
    'Of a test organization: whom its messages really go to. Addresses, @domain for all of one, or phone numbers; ' +
      'everything else ends in a sink.',
  );

/** As stored: without duplicates, domains in the form of DNS. Throws for a live organization, which has no sink. */
export function acceptTestRecipients({ caller }: Work, recipients: readonly string[]): string[] {
  if (caller.mode !== 'test') {
    throw new Failure(
      'test_mode_only',
      'This is a live organization: its messages go to everybody they are for.',
    );
  }
  return [...new Set(recipients.map((one) => (one.startsWith('@') ? `@${inDns(one.slice(1))}` : one)))];
}

const inDns = (domain: string): string => domainToASCII(domain) || domain;
