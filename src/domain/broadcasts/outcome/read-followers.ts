import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { Place } from './recipient-cursor.ts';
import { recipientColumns, type ReadRecipient } from './recipient-columns.ts';

/**
 * Those who followed a link, in the order of the ledger. The first click of a person on a link has the broadcast beside
 * it, so each is found once and by an index; links of one message that lead to one address are one here.
 */
export async function readFollowers(
  work: Work,
  broadcast: string,
  link: string,
  after: Place | undefined,
  limit: number,
): Promise<ReadRecipient[]> {
  const { db, org } = work;
  const { rows } = await sql<ReadRecipient>`
    with followed as (
      select distinct h.delivery_id from broadcast_links l, lateral (
        select h.delivery_id from tracking_hits h
        where h.org_id = ${org} and h.broadcast_id = ${broadcast} and h.link = l.link
          and h.delivery_id > ${after?.id ?? 0}
        order by h.delivery_id limit ${limit}) h
      where l.org_id = ${org} and l.broadcast_id = ${broadcast} and coalesce(l.url, l.placeholder) = ${link}
      order by h.delivery_id limit ${limit})
    select ${recipientColumns} from deliveries d
    where d.org_id = ${org} and d.id = any(array(select delivery_id from followed))
    order by d.id`.execute(db);
  return rows;
}
