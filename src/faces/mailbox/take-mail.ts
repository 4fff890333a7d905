import type { Database } from '../../database/pool.ts';
import type { ServiceParts } from '../../database/service-work.ts';
import { bounceClass } from '../../domain/delivery/ledger/bounce-class.ts';
import { readToken, type TokenOf } from '../../domain/delivery/ledger/delivery-token.ts';
import { isFeedbackAddress } from '../../domain/delivery/outgoing/feedback-address.ts';
import { findMessage } from '../../domain/delivery/ledger/find-message.ts';
import { readArf } from '../../domain/delivery/inbound/read-arf.ts';
import { readDsn, type Report } from '../../domain/delivery/inbound/read-dsn.ts';
import type { Inbound } from '../../domain/delivery/inbound/read-inbound.ts';
import { readReply } from '../../domain/delivery/inbound/read-reply.ts';
import { takeNotice, type Notice, type Noticed } from '../../domain/delivery/inbound/take-notice.ts';
import { unsubscribe } from '../../domain/tracking/unsubscribe.ts';

export interface MailParts extends ServiceParts {
  readonly database: Database;
}

/** What an address of ours is for. */
export type Box =
  | { readonly takes: 'bounces'; readonly message: TokenOf }
  | { readonly takes: 'unsubscribing'; readonly message: TokenOf }
  | { readonly takes: 'complaints' | 'replies' };

/** The box behind an address; undefined for a bounce of a message we never sent. */
export function mailboxOf({ keys, mail }: ServiceParts, address: string): Box | undefined {
  const [local = '', host = ''] = address.toLowerCase().split('@');
  const token = /^b-([0-9a-z]+)$/.exec(local)?.[1];
  if (token !== undefined) {
    // At any sending domain: its return path points to us, and the token is the proof.
    const message = readToken(keys, 'bounce', token);
    return message && { takes: 'bounces', message };
  }
  const leaving = /^u-([0-9a-z]+)$/.exec(local)?.[1];
  if (leaving !== undefined) {
    const message = readToken(keys, 'unsubscribe_mail', leaving);
    return message && { takes: 'unsubscribing', message };
  }
  if (isFeedbackAddress(keys, mail.returnPathHost, address)) return { takes: 'complaints' };
  return local === 'replies' && host === mail.returnPathHost ? { takes: 'replies' } : undefined;
}

export interface Arrived {
  /** Nothing, when it could not be read. */
  readonly inbound: Inbound | undefined;
  /** The null sender of reports. */
  readonly fromNobody: boolean;
  readonly now: Date;
  readonly requestId: string;
}

/** The outcome of a message, for the log. */
export interface Taken {
  readonly org_id?: string;
  readonly delivery?: number;
  readonly notice: Notice['what'] | 'unsubscribed' | 'nothing';
  readonly news: boolean;
}

/** Acts on a message. One that is not understood, or names none of our messages, is accepted and dropped. */
export async function takeMail(parts: MailParts, box: Box, arrived: Arrived): Promise<Taken> {
  const { inbound, now, requestId } = arrived;
  // Neither content nor sender matters: the address is in the message's header and nowhere else.
  if (box.takes === 'unsubscribing') return takeLeave(parts, box.message, { now, requestId });
  const heard = inbound && understand(parts, box, inbound, arrived.fromNobody);
  if (heard === undefined) return { notice: 'nothing', news: false };
  const { message, notice } = heard;
  const news = await takeNotice(parts.database, parts, { ...heard, now, actor: 'mailbox', requestId });
  return { org_id: message.org, delivery: message.delivery, notice: notice.what, news };
}

type Heard = Pick<Noticed, 'message' | 'notice' | 'hearsay'>;

async function takeLeave(
  parts: MailParts,
  { org, delivery }: TokenOf,
  when: Pick<Arrived, 'now' | 'requestId'>,
): Promise<Taken> {
  const asked = { org, ...when, actor: 'mailbox' };
  const news = await unsubscribe(parts.database, parts, asked, { delivery, itself: true });
  return { org_id: org, delivery, notice: 'unsubscribed', news };
}

function understand(
  { keys }: MailParts,
  box: Exclude<Box, { takes: 'unsubscribing' }>,
  inbound: Inbound,
  fromNobody: boolean,
): Heard | undefined {
  if (box.takes === 'bounces') {
    // Reports come from the null sender; a message from any other sender may only look like one.
    const report = fromNobody ? readDsn(inbound) : undefined;
    return report && { message: box.message, notice: noticeOf(report), hearsay: report };
  }
  if (box.takes === 'complaints') {
    const feedback = readArf(inbound);
    const message = feedback?.complaint === true ? findMessage(keys, feedback.named) : undefined;
    return message && { message, notice: { what: 'complained' } };
  }
  const answered = fromNobody ? undefined : readReply(inbound);
  const message = answered && findMessage(keys, answered);
  return message && { message, notice: { what: 'replied' } };
}

function noticeOf({ action, code, reply }: Report): Notice {
  const told = { ...(code !== undefined && { code }), ...(reply !== undefined && { reply }) };
  if (action === 'delivered') return { what: 'delivered' };
  if (action === 'delayed') return { what: 'deferred', ...told };
  return { what: 'bounced', bounceClass: bounceClass(told), ...told };
}
