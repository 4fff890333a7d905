import { sql } from 'kysely';
import { relayTransaction, TryAgain } from '../../database/org-transaction.ts';
import type { Database } from '../../database/pool.ts';
import type { ServiceParts } from '../../database/service-work.ts';
import type { Work } from '../../database/work.ts';
import type { OrgId, PersonId } from '../../kernel/ids.ts';
import { holdNumbers } from '../identifiers/hold-numbers.ts';
import { toE164 } from '../identifiers/phone-number.ts';
import { rememberAddresses } from '../identifiers/suppressed-address.ts';
import { asService } from '../orgs/as-service.ts';
import { writeAudit } from '../orgs/audit.ts';
import type { Heard } from './note-receipt.ts';
import { optOutOfTexts } from './opt-out-of-texts.ts';
import { proveNumber } from './prove-number.ts';
import { asksToStop } from './stop-words.ts';

export interface InboundText {
  readonly from: string;
  /** One of our customers' numbers. */
  readonly to: string;
  readonly body: string;
  /** The provider says that it is a stop, in whichever words. */
  readonly optedOut?: boolean;
}

/**
 * A text that came in: if it asks to stop, whoever has that number is opted out of texts, in every organization that
 * sends from the number it was sent to. Nobody is opted in by a text.
 */
export async function noteInboundText(
  database: Database,
  parts: ServiceParts,
  text: InboundText,
  { now, requestId }: Heard,
): Promise<void> {
  const [from, to] = [toE164(text.from), toE164(text.to)];
  if (from === undefined || to === undefined) return;
  await proveNumber(database, parts, { to, body: text.body }, { now, requestId });
  if (text.optedOut !== true && !asksToStop(text.body)) return;
  for (const org of await orgsSendingFrom(database, to)) {
    await asService(database, parts, { org, now, actor: 'inbound_text', requestId }, (work) =>
      stop(work, from),
    );
  }
}

async function orgsSendingFrom(database: Database, number: string): Promise<OrgId[]> {
  const rows = await relayTransaction(database, (db) =>
    db.selectFrom('sms_numbers').select('org_id').where('number', '=', number).orderBy('org_id').execute(),
  );
  return rows.map(({ org_id }) => org_id as OrgId);
}

async function stop(work: Work, number: string): Promise<void> {
  const people = await peopleWith(work, number);
  if (people.length > 0) {
    const fresh = await optOutOfTexts(work, people);
    // Merged or given the number while we waited for them: whoever has it now is meant.
    if (String(await peopleWith(work, number)) !== String(people)) throw new TryAgain();
    if (fresh.length === 0) return;
  } else {
    await holdNumbers(work);
    if ((await peopleWith(work, number)).length > 0) throw new TryAgain(); // given it while we waited
    // Not among the people here; should they be imported later, they are opted out at once.
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
