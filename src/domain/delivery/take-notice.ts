import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../database/pool.ts';
import type { ServiceParts } from '../../database/service-work.ts';
import type { Work } from '../../database/work.ts';
import { asService } from '../orgs/as-service.ts';
import { writeAudit } from '../orgs/audit.ts';
import type { BounceClass } from './bounce-class.ts';
import type { TokenOf } from './delivery-token.ts';
import { noteBounce } from './note-bounce.ts';
import { noteComplaint } from './note-complaint.ts';
import { noteDelivered } from './note-delivered.ts';
import { noteDelay } from './note-history.ts';
import { noteReply } from './note-reply.ts';

/** What the world says about a message after it was handed over. */
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
  /** By a token that was read, so whoever says it has seen the message. */
  readonly message: TokenOf;
  readonly notice: Notice;
  /** Whom it names in lower case, where anybody could have written it: see `isCredible`. */
  readonly hearsay?: { readonly recipients: readonly string[] };
  /** By the service's clock. */
  readonly now: Date;
  /** Who heard it: mailbox, ses, mailgun. */
  readonly actor: string;
  readonly requestId: string;
}

/** The message is being handed over at this moment, and where to is not written down: whoever told us must come again. */
export class StillInHand extends Error {}

const looks = 20;
const lookMs = 250;

/** One transaction, with its audit row when something changed. Answers whether it did. */
export async function takeNotice(
  database: Database,
  parts: ServiceParts,
  { message, notice, hearsay, ...rest }: Noticed,
): Promise<boolean> {
  for (let looked = 1; ; looked++) {
    const took = await asService(database, parts, { org: message.org, ...rest }, async (work) => {
      // A mailbox on the same machine bounces within milliseconds, before the window it went out in is written down.
      const about = await look(work, message.delivery);
      if (about?.state === 'sending' && about.address === null) return 'in_hand';
      if (hearsay !== undefined && !isCredible(work, about, hearsay)) return false;
      const news = await note(work, message.delivery, notice);
      if (news) await writeAudit(work, `note_${notice.what}`);
      return news;
    });
    if (took !== 'in_hand') return took === true;
    if (looked >= looks) throw new StillInHand();
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
 * A return path is seen by every server on the way and by whoever keeps headers. So what comes to it is believed only
 * about whom the message went to, and only for as long as a server may have tried.
 */
const isCredible = (
  { now }: Work,
  about: Look | undefined,
  { recipients }: { readonly recipients: readonly string[] },
): boolean =>
  about !== undefined &&
  // Where no address is left, nobody is suppressed by it.
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
