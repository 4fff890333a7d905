import { addToOutbox } from '../../database/outbox.ts';
import type { Work } from '../../database/work.ts';
import type { DomainRow } from './sending-domain.ts';

/**
 * Requests a check of a domain's records now. Name servers live in real time, so this goes by the service's clock, also
 * for a test organization that moved its own. The row says that a check is due, in case the engine loses the message.
 */
export async function requestCheck(
  work: Work,
  domain: Pick<DomainRow, 'id' | 'next_check_at'>,
): Promise<Date> {
  const { now } = work.caller;
  const due = domain.next_check_at < now ? domain.next_check_at : now;
  await work.db
    .updateTable('sending_domains')
    .set({ next_check_at: due })
    .where('org_id', '=', work.org)
    .where('id', '=', domain.id)
    .execute();
  await addToOutbox(work, 'SendingDomains', { domain_id: domain.id, asked_at: now.toISOString() });
  work.touched['domain_id'] = domain.id;
  return due;
}
