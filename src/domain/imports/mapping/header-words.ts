import { forWritten } from '../../person-fields/fields.ts';
import type { FieldTarget } from '../record/mapping.ts';

type Named = Exclude<FieldTarget, 'skip'>;

/** Usual headers for each target, besides its own name. */
const synonyms: Readonly<Record<Named, readonly string[]>> = {
  external_user_id: [
    'external id',
    'user id',
    'customer id',
    'member id',
    'account id',
    'contact id',
    'uid',
    'id',
  ],
  payment_customer_id: ['payment customer', 'payment id', 'billing customer id', 'billing id'],
  email: ['e-mail', 'mail', 'email address', 'e-mail address', 'mail address', 'primary email', 'work email'],
  anonymous_id: ['anonymous', 'anon id', 'visitor id', 'cookie id', 'device id'],
  phone: [
    'phone number',
    'telephone',
    'telephone number',
    'tel',
    'mobile',
    'mobile number',
    'mobile phone',
    'cell',
    'cell phone',
    'primary phone',
  ],
  alternate_email: [
    'alternative email',
    'secondary email',
    'second email',
    'other email',
    'email 2',
    'e-mail 2',
  ],
  alternate_phone: [
    'alternative phone',
    'secondary phone',
    'second phone',
    'other phone',
    'phone 2',
    'home phone',
  ],
  ...forWritten(({ headers }) => headers),
  subscribed_to_emails: [
    'subscribed',
    'is subscribed',
    'email subscribed',
    'subscribed to email',
    'opt in',
    'opted in',
    'email opt in',
    'accepts marketing',
    'accepts email marketing',
    'marketing consent',
  ],
  unsubscribed_from_emails: [
    'unsubscribed',
    'is unsubscribed',
    'email unsubscribed',
    'unsubscribed from email',
    'opt out',
    'opted out',
    'email opt out',
    'do not email',
  ],
};

/** Letters and digits alone: "E-Mail Address", email_address and emailAddress are one heading. */
export const bare = (header: string): string =>
  header
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');

const byHeader = new Map<string, Named>(
  Object.entries(synonyms).flatMap(([target, words]) =>
    [target, ...words].map((word): [string, Named] => [bare(word), target as Named]),
  ),
);

export const fieldOfHeader = (header: string): Named | undefined => byHeader.get(bare(header));
