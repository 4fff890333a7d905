import { z } from 'zod';
import { toDomainName } from './domain-name.ts';

// RFC 5321: at most 64 before the @. Only what every server takes: letters beyond ASCII would need SMTPUTF8 all the way.
const localPart = /^(?=.{1,64}$)[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
// A line break would begin another header; direction marks would reorder the text around them.
const unfitForHeader = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** An address in lower case with its domain in ASCII, or nothing. */
function toAddress(text: string): string | undefined {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  const domain = toDomainName(text.slice(at + 1));
  return domain !== undefined && localPart.test(local) ? `${local.toLowerCase()}@${domain}` : undefined;
}

const Address = z
  .string()
  .trim()
  .max(320)
  .meta({ format: 'idn-email' })
  .transform((text, context) => {
    const address = toAddress(text);
    if (address !== undefined) return address;
    context.addIssue('Must be one email address, as in news@example.com, at a domain of two labels or more.');
    return z.NEVER;
  });

export const senderInput = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .refine(
      (name) => !unfitForHeader.test(name),
      'A name may not hold line breaks, control characters or marks that turn the order of letters around.',
    )
    .describe('What recipients see as the sender.'),
  email: Address.describe('The address mail comes from. Its domain becomes a sending domain.'),
  reply_to: Address.nullable().describe('Where answers go, at any domain; null for the address itself.'),
};

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);
