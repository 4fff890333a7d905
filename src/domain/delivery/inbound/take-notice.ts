import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../../database/pool.ts';
import type { ServiceParts } from '../../../database/service-work.ts';
import type { Work } from '../../../database/work.ts';
import { asService } from '../../orgs/as-service.ts';
import { writeAudit } from '../../orgs/audit.ts';
import type { BounceClass } from '../ledger/bounce-class.ts';
import type { TokenOf } from '../ledger/delivery-token.ts';
import { noteBounce } from './note-bounce.ts';
import { noteComplaint } from './note-complaint.ts';
import { noteDelivered } from './note-delivered.ts';
import { noteDelay } from '../ledger/note-history.ts';
import { noteReply } from './note-reply.ts';

/** A report about a message after it was handed over. */
export type Notice =
  | {
      readonly what: 'bounced';
      readonly bounceClass: BounceClass;
      readonly code?: string;
      readonly reply?: string;
    }
  | { readonly what: 'deferred'; readonly code?: string; readonly reply?: string }
  | { readonly what: 'complained' | 'delivered' | 'replied' };

export interface Noticed {
  /** Read from a token, so the reporter has seen the message. */
  readonly message: TokenOf;
  readonly notice: Notice;
  /** Set when anyone could have written it: the recipients it names, in lower case. See `isCredible`. */
  readonly hearsay?: { readonly recipients: readonly string[] };
  /** By the service's clock. */
  readonly now: Date;
  /** The way it came in: mailbox, ses, mailgun. */
  readonly actor: string;
  readonly requestId: string;
}

/** The message is being handed over and its address is not recorded yet: the reporter must try again. */
export class HandOverPending extends Error {}

const looks = 20;
const lookMs = 250;

/** Applies a notice in one transaction, with an audit row when something changed. Returns whether it did. */
export async function takeNotice(
  database: Database,
  parts: ServiceParts,
  { message, notice, hearsay, ...rest }: Noticed,
): Promise<boolean> {
  for (let looked = 1; ; looked++) {
    const took = await asService(database, parts, { org: message.org, ...rest }, async (work) => {
      // A mailbox on the same machine bounces within milliseconds, before the window is recorded.
      const about = await look(work, message.delivery);
      if (about?.state === 'sending' && about.address === null) return 'in_hand';
      if (hearsay !== undefined && !isCredible(work, about, hearsay)) return false;
      const news = await note(work, message.delivery, notice);
      if (news) await writeAudit(work, `note_${notice.what}`);
      return news;
    });
    if (took !== 'in_hand') return took === true;
    if (looked >= looks) throw new HandOverPending();
    await pause(lookMs);
  }
}

interface Look {
  readonly state: string;
  readonly address: string | null;
  readonly sent_at: Date | null;
  readonly due_at: Date;
}

async function look(work: Work, delivery: number): Promise<Look | undefined> {
  const row = await work.db
    .selectFrom('deliveries')
    .select(['state', 'address', 'sent_at', 'due_at', 'broadcast_id', 'person_id'])
    .where('org_id', '=', work.org)
    .where('id', '=', delivery)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  work.touched['delivery_id'] = String(delivery);
  work.touched['broadcast_id'] = row.broadcast_id;
  if (row.person_id !== null) work.touched['person_id'] = row.person_id;
  return row;
}

/** Mail servers try for five days as a rule, and some take a week. */
const believedMs = 14 * 24 * 60 * 60_000;

/**
 * Every server on the way and every reader of the headers sees a return path. So a notice sent to it is believed only
 * about the message's own recipient, and only for as long as a server may have kept trying.
 */
const isCredible = (
  { now }: Work,
  about: Look | undefined,
  { recipients }: { readonly recipients: readonly string[] },
): boolean =>
  about !== undefined &&
  // Without an address the notice cannot suppress one.
  (about.address === null || recipients.includes(about.address.toLowerCase())) &&
  now.getTime() - (about.sent_at ?? about.due_at).getTime() <= believedMs;

async function note(work: Work, delivery: number, notice: Notice): Promise<boolean> {
  switch (notice.what) {
    case 'bounced':
      return noteBounce(work, { delivery, ...notice });
    case 'deferred':
      return noteDelay(work, { delivery, ...notice });
    case 'complained':
      return noteComplaint(work, { delivery });
    case 'delivered':
      return noteDelivered(work, { delivery });
    case 'replied':
      return noteReply(work, { delivery });
  }
}
