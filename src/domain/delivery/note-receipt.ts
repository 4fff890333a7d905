import { sql } from 'kysely';
import { TryAgain } from '../../database/org-transaction.ts';
import type { Database } from '../../database/pool.ts';
import type { ServiceParts } from '../../database/service-work.ts';
import type { Work } from '../../database/work.ts';
import type { OrgId, PersonId } from '../../kernel/ids.ts';
import { recordEvents } from '../events/record-events.ts';
import { asService } from '../orgs/as-service.ts';
import { writeAudit } from '../orgs/audit.ts';
import type { BounceClass } from './bounce-class.ts';
import { withEntry } from './note-history.ts';
import { optOutOfTexts } from './opt-out-of-texts.ts';
import { readSentBy } from './sent-by.ts';

/** What became of a text that a provider took. */
export type ReceiptNews =
  | { readonly outcome: 'delivered' }
  | {
      readonly outcome: 'failed';
      readonly bounceClass: BounceClass;
      readonly code: string | undefined;
      /** It failed because the recipient told the provider to stop. */
      readonly optedOut?: boolean;
    };

/** When something was heard, by the service's clock, and in which request. */
export interface Heard {
  readonly now: Date;
  readonly requestId: string;
}

/**
 * Writes down what became of a text, once: the first that says so stands. A number that cannot be reached is only noted,
 * because numbers are given to others. Whoever has a receipt took the text, so one that was uncertain was sent.
 */
export async function noteReceipt(
  database: Database,
  parts: ServiceParts,
  { org, delivery }: { readonly org: OrgId; readonly delivery: number },
  news: ReceiptNews,
  { now, requestId }: Heard,
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

/** People before the ledger, as everybody does: whoever is opted out by it alone, whose timeline is written so that they stay. */
async function holdRecipient(work: Work, delivery: number, news: ReceiptNews): Promise<void> {
  const row = await readRecipient(work, delivery);
  if (row?.person_id == null) return;
  if (news.outcome === 'failed' && news.optedOut === true) {
    await optOutOfTexts(work, [row.person_id]);
    // Merged while we waited for them: whoever it belongs to now is meant.
    if ((await readRecipient(work, delivery))?.person_id !== row.person_id) throw new TryAgain();
  } else if (row.state === 'uncertain') {
    await sql`
      select 1 from people where org_id = ${work.org} and id = ${row.person_id} for key share`.execute(
      work.db,
    );
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
    where d.org_id = ${org} and d.id = was.id and d.delivered_at is null and d.bounced_at is null
    returning d.person_id, d.broadcast_id, was.state as was`.execute(db);
  return rows[0];
}

/** As it is written down of every text when it is handed over. */
export async function recordTextSent(work: Work, person_id: PersonId, broadcast_id: string): Promise<void> {
  await sql`
    insert into sent_messages (org_id, id, person_id, channel, sent_at)
    select org_id, new_id(${work.now}), id, 'sms', ${work.now} from people
    where org_id = ${work.org} and id = ${person_id}`.execute(work.db);
  const custom_properties = (await readSentBy(work, [broadcast_id]))(broadcast_id);
  await recordEvents(work, [{ person_id, name: '$svc_text_sent', custom_properties, occurred_at: work.now }]);
}
