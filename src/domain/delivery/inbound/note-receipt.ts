import { sql } from 'kysely';
import { TryAgain } from '../../../database/org-transaction.ts';
import type { Database } from '../../../database/pool.ts';
import type { ServiceParts } from '../../../database/service-work.ts';
import type { Work } from '../../../database/work.ts';
import type { OrgId, PersonId } from '../../../kernel/ids.ts';
import { asService } from '../../orgs/as-service.ts';
import { writeAudit } from '../../orgs/audit.ts';
import type { BounceClass } from '../ledger/bounce-class.ts';
import { withEntry } from '../ledger/note-history.ts';
import { optOutOfTexts } from './opt-out-of-texts.ts';

/** A provider's report on a text it accepted. */
export type ReceiptNews =
  | { readonly outcome: 'delivered' }
  | {
      readonly outcome: 'failed';
      readonly bounceClass: BounceClass;
      readonly code: string | undefined;
      /** It failed because the recipient opted out with the provider. */
      readonly optedOut?: boolean;
    };

/** When a report came in, by the service's clock, and in which request. */
export interface ReceiptContext {
  readonly now: Date;
  readonly requestId: string;
}

/** The same of a text that came in, and the route it came over. */
export interface InboundContext extends ReceiptContext {
  readonly route: string;
}

/**
 * Records the result of a text once: the first receipt stands. An unreachable number is only noted, because numbers are
 * reassigned. A receipt proves that the provider took the text, so an uncertain one becomes sent.
 */
export async function noteReceipt(
  database: Database,
  parts: ServiceParts,
  { org, delivery }: { readonly org: OrgId; readonly delivery: number },
  news: ReceiptNews,
  { now, requestId }: ReceiptContext,
): Promise<void> {
  await asService(database, parts, { org, now, actor: 'text_receipt', requestId }, async (work) => {
    if (news.outcome === 'failed' && news.optedOut === true) await optOutRecipient(work, delivery);
    const noted = await note(work, delivery, news);
    if (noted !== undefined) {
      work.touched['broadcast_id'] = noted.broadcast_id;
      work.touched['delivery_id'] = String(delivery);
    }
    if (Object.keys(work.touched).length > 0) await writeAudit(work, 'note_receipt');
  });
}

/** Locks the person before the ledger, as every caller does, and opts them out of texts. */
async function optOutRecipient(work: Work, delivery: number): Promise<void> {
  const person = await readRecipient(work, delivery);
  if (person == null) return;
  await optOutOfTexts(work, [person], [delivery]);
  // A merge during the wait moved the text to another person: start over with that one.
  if ((await readRecipient(work, delivery)) !== person) throw new TryAgain();
}

async function readRecipient({ db, org }: Work, delivery: number): Promise<PersonId | null | undefined> {
  const { rows } = await sql<{ person_id: PersonId | null }>`
    select person_id from deliveries where org_id = ${org} and id = ${delivery}`.execute(db);
  return rows[0]?.person_id;
}

interface Noted {
  readonly broadcast_id: string;
}

async function note({ db, org, now }: Work, delivery: number, news: ReceiptNews): Promise<Noted | undefined> {
  const failed = news.outcome === 'failed' ? news : undefined;
  const { rows } = await sql<Noted>`
    update deliveries d set
      delivered_at = ${failed ? null : now}::timestamptz,
      bounced_at = ${failed ? now : null}::timestamptz,
      bounce_class = ${failed?.bounceClass ?? null},
      history = ${failed ? withEntry({ at: now, what: 'bounced', code: failed.code }) : sql`history`},
      state = case d.state when 'uncertain' then 'sent' else d.state end,
      reason = case d.state when 'uncertain' then null else d.reason end,
      sent_at = case d.state when 'uncertain' then coalesce(d.sent_at, ${now}) else d.sent_at end
    where d.org_id = ${org} and d.id = ${delivery} and d.delivered_at is null and d.bounced_at is null
    returning d.broadcast_id`.execute(db);
  return rows[0];
}
