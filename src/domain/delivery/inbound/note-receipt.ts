import { sql } from 'kysely';
import { holdPeople } from '../../../database/hold-people.ts';
import { TryAgain } from '../../../database/org-transaction.ts';
import type { Database } from '../../../database/pool.ts';
import type { ServiceParts } from '../../../database/service-work.ts';
import type { Work } from '../../../database/work.ts';
import type { OrgId, PersonId } from '../../../kernel/ids.ts';
import { writeEvents } from '../../timeline/write-events.ts';
import { asService } from '../../orgs/as-service.ts';
import { writeAudit } from '../../orgs/audit.ts';
import { shareClock } from '../../waits/clock.ts';
import type { BounceClass } from '../ledger/bounce-class.ts';
import { withEntry } from '../ledger/note-history.ts';
import { optOutOfTexts } from './opt-out-of-texts.ts';
import { readSentBy } from '../ledger/sent-by.ts';

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
    await holdRecipient(work, delivery, news);
    const noted = await note(work, delivery, news);
    if (noted !== undefined) {
      const { person_id, broadcast_id, was } = noted;
      if (was === 'uncertain' && person_id !== null) await recordTextSent(work, person_id, broadcast_id);
      work.touched['broadcast_id'] = broadcast_id;
      work.touched['delivery_id'] = String(delivery);
    }
    if (Object.keys(work.touched).length > 0) await writeAudit(work, 'note_receipt');
  });
}

/**
 * Locks people before the ledger, as every caller does: a person whom the receipt opts out `alone`, a person whose
 * timeline it extends `staying`.
 */
async function holdRecipient(work: Work, delivery: number, news: ReceiptNews): Promise<void> {
  const row = await readRecipient(work, delivery);
  if (row?.person_id == null) return;
  if (news.outcome === 'failed' && news.optedOut === true) {
    await optOutOfTexts(work, [row.person_id], [delivery]);
    // A merge during the wait moved the text to another person: start over with that one.
    if ((await readRecipient(work, delivery))?.person_id !== row.person_id) throw new TryAgain();
  } else if (row.state === 'uncertain') {
    await holdPeople(work, [row.person_id], 'staying');
    await shareClock(work, work.org); // before the ledger: a listening workflow takes it later
  }
}

async function readRecipient(
  { db, org }: Work,
  delivery: number,
): Promise<{ person_id: PersonId | null; state: string } | undefined> {
  const { rows } = await sql<{ person_id: PersonId | null; state: string }>`
    select person_id, state from deliveries where org_id = ${org} and id = ${delivery}`.execute(db);
  return rows[0];
}

interface Noted {
  readonly person_id: PersonId | null;
  readonly broadcast_id: string;
  readonly was: string;
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
    from (select id, state from deliveries where org_id = ${org} and id = ${delivery} for update) was
    where d.org_id = ${org} and d.id = ${delivery} and d.id = was.id and d.delivered_at is null and d.bounced_at is null
    returning d.person_id, d.broadcast_id, was.state as was`.execute(db);
  return rows[0];
}

/** Writes what is recorded for every text that is handed over. */
export async function recordTextSent(work: Work, person_id: PersonId, broadcast_id: string): Promise<void> {
  await sql`
    insert into sent_messages (org_id, id, person_id, channel, sent_at)
    select org_id, new_id(${work.now}), id, 'sms', ${work.now} from people
    where org_id = ${work.org} and id = ${person_id}`.execute(work.db);
  const custom_properties = (await readSentBy(work, [broadcast_id]))(broadcast_id);
  await writeEvents(work, [{ person_id, name: '$svc_text_sent', custom_properties, occurred_at: work.now }]);
}
