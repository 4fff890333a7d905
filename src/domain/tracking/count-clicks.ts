import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import type { HeldMessage } from './hold-messages.ts';
import type { HumanHit } from './summarize-hits.ts';

/**
 * Adds clicks to their links: every click to `clicks`, and the first one on a link of a message to `clicked`,
 * and names the broadcast beside that one, by which it is found again. The messages are locked, so of two transactions that judge hits of one message the second sees the first's verdicts.
 */
export async function countClicks(
  work: Work,
  hits: readonly HumanHit[],
  held: ReadonlyMap<number, HeldMessage>,
): Promise<void> {
  const clicks = hits.flatMap(({ id, kind, link, delivery }) => {
    const message = held.get(delivery);
    return kind === 'click' && link !== null && message !== undefined
      ? [{ hit: id, delivery, link, broadcast_id: message.broadcast_id }]
      : [];
  });
  if (clicks.length === 0) return;
  const groups = Map.groupBy(clicks, ({ delivery, link }) => `${delivery} ${link}`);
  const came = [...groups.values()].map((some) => ({ ...some[0]!, n: some.length }));
  // These hits have their verdict already: if the link has no other human click, they are the first.
  await sql`
    with came as (
      select * from jsonb_to_recordset(${JSON.stringify(came)}::jsonb)
        as c(hit bigint, delivery bigint, broadcast_id uuid, link bigint, n bigint)
    ), judged as (
      select c.*, c.n = (
        select count(*) from tracking_hits h
        where h.org_id = ${work.org} and h.delivery_id = c.delivery and h.kind = 'click' and h.link = c.link
          and h.verdict = 'human') as is_first
      from came c
    ), named as (
      update tracking_hits h set broadcast_id = j.broadcast_id from judged j
      where j.is_first and h.org_id = ${work.org} and h.id = j.hit and h.id = any(${came.map(({ hit }) => hit)}::bigint[])
    ), sums as (
      select broadcast_id, link, sum(n) as clicks, count(*) filter (where is_first) as clicked
      from judged group by broadcast_id, link
    ), held as (
      select l.broadcast_id, l.link from broadcast_links l
      where l.org_id = ${work.org} and (l.broadcast_id, l.link) in (select broadcast_id, link from sums)
      order by l.broadcast_id, l.link for update
    )
    update broadcast_links l set clicks = l.clicks + s.clicks, clicked = l.clicked + s.clicked
    from sums s join held using (broadcast_id, link)
    where l.org_id = ${work.org} and l.broadcast_id = s.broadcast_id and l.link = s.link`.execute(work.db);
}
