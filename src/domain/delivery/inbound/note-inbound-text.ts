import { sql } from 'kysely';
import { relayTransaction, TryAgain } from '../../../database/org-transaction.ts';
import type { Database } from '../../../database/pool.ts';
import type { ServiceParts } from '../../../database/service-work.ts';
import type { Work } from '../../../database/work.ts';
import type { OrgId, PersonId } from '../../../kernel/ids.ts';
import { holdNumbers } from '../../identifiers/hold-numbers.ts';
import { toE164 } from '../../identifiers/phone-number.ts';
import { rememberAddresses } from '../../identifiers/suppressed-address.ts';
import { asService } from '../../orgs/as-service.ts';
import { writeAudit } from '../../orgs/audit.ts';
import { goesOver } from '../ledger/route.ts';
import type { InboundContext } from './note-receipt.ts';
import { optOutOfTexts } from './opt-out-of-texts.ts';
import { proveNumber } from './prove-number.ts';
import { asksToStop } from './stop-words.ts';

export interface InboundText {
  readonly from: string;
  /** One of our customers' numbers. */
  readonly to: string;
  readonly body: string;
  /** The provider classified it as a stop, regardless of its words. */
  readonly optedOut?: boolean;
}

/**
 * Handles an inbound text. If it asks to stop, all people with the sender's number are opted out of texts, in every
 * organization that sends from the number it was sent to, over the route it came by. A text never opts a person in.
 */
export async function noteInboundText(
  database: Database,
  parts: ServiceParts,
  text: InboundText,
  { now, requestId, route }: InboundContext,
): Promise<void> {
  const [from, to] = [toE164(text.from), toE164(text.to)];
  if (from === undefined || to === undefined) return;
  await proveNumber(database, parts, { to, body: text.body }, { now, requestId, route });
  if (text.optedOut !== true && !asksToStop(text.body)) return;
  for (const org of await orgsSendingFrom(database, to, route)) {
    await asService(database, parts, { org, now, actor: 'inbound_text', requestId }, (work) =>
      stop(work, from),
    );
  }
}

async function orgsSendingFrom(database: Database, number: string, route: string): Promise<OrgId[]> {
  const rows = await relayTransaction(database, (db) =>
    db
      .selectFrom('sms_numbers')
      .select('org_id')
      .where('number', '=', number)
      .where(goesOver('sms_numbers.org_id', 'sms', route))
      .orderBy('org_id')
      .execute(),
  );
  return rows.map(({ org_id }) => org_id as OrgId);
}

async function stop(work: Work, number: string): Promise<void> {
  const people = await peopleWith(work, number);
  if (people.length > 0) {
    const fresh = await optOutOfTexts(work, people);
    // A merge or a new holder of the number during the wait: start over with the current holders.
    if (String(await peopleWith(work, number)) !== String(people)) throw new TryAgain();
    if (fresh.length === 0) return;
  } else {
    await holdNumbers(work);
    if ((await peopleWith(work, number)).length > 0) throw new TryAgain(); // a person got it during the wait
    // No person has the number yet; a person imported with it later is opted out at once.
    const remembered = await rememberAddresses(work, [{ channel: 'sms', address: number }]);
    if (remembered === 0) return;
    work.touched['org_id'] = work.org;
  }
  await writeAudit(work, 'opt_out_by_text');
}

async function peopleWith({ db }: Work, number: string): Promise<PersonId[]> {
  const { rows } = await sql<{ id: PersonId }>`select gate.people_with_number(${number}) as id`.execute(db);
  return rows.map(({ id }) => id);
}
