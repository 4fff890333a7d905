import type { Keyring, MailSettings } from '../../../database/work.ts';
import type { OrgId } from '../../../kernel/ids.ts';
import { tokensOf } from '../ledger/delivery-token.ts';
import type { OutgoingEmail } from './outgoing.ts';
import { publicUrls } from './public-urls.ts';

/** One email of a broadcast and its parts. */
export interface EmailParts {
  readonly keys: Pick<Keyring, 'mac'>;
  readonly mail: Pick<MailSettings, 'publicUrl' | 'inboundHost'>;
  readonly org: OrgId;
  /** Its number in the ledger. */
  readonly delivery: number;
  readonly broadcastId: string;
  readonly sender: { readonly from: string; readonly reply_to: string; readonly domain: string };
  readonly dkim: OutgoingEmail['dkim'];
  readonly to: string;
  readonly subject: string;
  readonly html: OutgoingEmail['html'];
  readonly text: OutgoingEmail['text'];
  /** Where it is unsubscribed from, if that was made already. */
  readonly unsubscribe?: string;
}

/**
 * Gmail counts complaints about everything this service sends under this name. 5 to 15 characters; must never change.
 */
const feedbackSender = 'rostrum';

/**
 * The email as it will be handed over. Its Message-ID derives from the ledger's number, so it is the same on every try,
 * and replies and providers name the message by it. Archives publish the Message-ID, so bounces use a token of their
 * own. The header reveals nothing about the recipient but the address.
 */
export function composeEmail(parts: EmailParts): OutgoingEmail {
  const { keys, mail, org, delivery, broadcastId, sender, dkim, to, subject, html, text } = parts;
  const { unsubscribe = publicUrls(keys, mail.publicUrl, { org, delivery }).unsubscribe } = parts;
  const token = tokensOf(keys, { org, delivery });
  const ways = [unsubscribe];
  if (mail.inboundHost !== undefined) {
    const address = unsubscribeAddress(token('unsubscribe_mail'), mail.inboundHost);
    ways.push(`mailto:${address}?subject=unsubscribe`);
  }
  return {
    org,
    from: sender.from,
    replyTo: sender.reply_to,
    to,
    returnPath: returnPathOf(token('bounce'), sender.domain),
    messageId: `${token('message')}@${sender.domain}`,
    subject,
    html,
    text,
    headers: {
      'List-Unsubscribe': ways.map((way) => `<${way}>`).join(', '), // the first is preferred: RFC 2369
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'List-ID': `<broadcasts.${sender.domain}>`,
      'Feedback-ID': `${short(broadcastId)}:${short(org)}:broadcast:${feedbackSender}`,
      // No standard requires it, but autoresponders that ignore List-ID respect it, and an absence notice would count
      // as a reply.
      Precedence: 'bulk',
    },
    dkim,
  };
}

/**
 * Where bounces of a message go: its token, at the host that every sending domain points to us. 61 of 64 characters.
 */
export const returnPathOf = (token: string, domain: string): string => `b-${token}@bounce.${domain}`;

/** Any mail to this address unsubscribes the message's recipient. */
const unsubscribeAddress = (token: string, host: string): string => `u-${token}@${host}`;

/** The random half of an id; the other half is a time, which many share. */
const short = (id: string): string => id.slice(-12);
