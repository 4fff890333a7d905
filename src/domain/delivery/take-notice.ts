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
  { message, notice, ...rest }: Noticed,
): Promise<boolean> {
  for (let look = 1; ; look++) {
    const took = await asService(database, parts, { org: message.org, ...rest }, async (work) => {
      // A mailbox on the same machine bounces within milliseconds, before the window it went out in is written down.
      if (await isInHand(work, message.delivery)) return 'in_hand';
      const news = await note(work, message.delivery, notice);
      if (news) await writeAudit(work, `note_${notice.what}`);
      return news;
    });
    if (took !== 'in_hand') return took === true;
    if (look >= looks) throw new StillInHand();
    await pause(lookMs);
  }
}

async function isInHand(work: Work, delivery: number): Promise<boolean> {
  const row = await work.db
    .selectFrom('deliveries')
    .select(['state', 'address', 'broadcast_id', 'person_id'])
    .where('org_id', '=', work.org)
    .where('id', '=', delivery)
    .executeTakeFirst();
  if (row === undefined) return false;
  work.touched['delivery_id'] = String(delivery);
  work.touched['broadcast_id'] = row.broadcast_id;
  if (row.person_id !== null) work.touched['person_id'] = row.person_id;
  return row.state === 'sending' && row.address === null;
}

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
