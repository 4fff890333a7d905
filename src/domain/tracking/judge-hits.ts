import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import { amongIds } from '../delivery/ledger/ledger-month.ts';
import { trapLink } from '../delivery/outgoing/public-urls.ts';
import { countHits } from './count-hits.ts';
import type { HumanHit } from './summarize-hits.ts';

const most = 2_000; // at a time
const waitSeconds = 3; // longer than neighbouring hits take to arrive
const nearSeconds = 2;
const soonSeconds = 10;
// No person makes so many hits in four seconds; counting further is pointless.
const crowd = 100;

/**
 * Judges the hits of an organization that have waited long enough, and counts the human ones. One hit alone cannot tell
 * a scanner with a browser's name from a person; its neighbours can: several links of one message at once, the trap
 * among them, or hits right after the message was sent. Returns how many were judged. Any number of calls may run at a
 * time: each takes hits that no other has locked.
 */
export async function judgeHits(work: Work): Promise<{ judged: number; more: boolean }> {
  const { db, org, now } = work;
  const { rows } = await sql<HumanHit & { verdict: string }>`
    with taken as (
      select id, delivery_id, at from tracking_hits
      where org_id = ${org} and verdict is null
        and at <= ${now}::timestamptz - make_interval(secs => ${waitSeconds})
      order by at, id limit ${most} for update skip locked
    ), placed as materialized (
      -- With row level security an index is searched for what is known, not for what is worked out on the way.
      select id, delivery_id, at, since, until, first_number_of_month(since) as lowest,
        first_number_of_month(until) + (1::bigint << 40) as above
      from taken, make_interval(secs => ${nearSeconds}) as near,
        lateral (select at - near as since, at + near as until) as around
    ), judged as (
      select t.id, case
          when near.hits = ${crowd} then 'crowd'
          when near.trapped then 'trap'
          when near.links > 1 then 'several_links'
          when t.at < d.sent_at + make_interval(secs => ${soonSeconds}) then 'too_soon'
          when d.sent_at is null and d.state in ('pending', 'sending') then 'too_soon'
        end as why
      from placed t
      left join deliveries d on d.org_id = ${org} and d.id = t.delivery_id
        and ${amongIds('d.id', 'taken', 'delivery_id')}
      cross join lateral (
        select count(*) as hits, count(distinct link) as links, bool_or(link = ${trapLink}) as trapped
        from (
          select link from tracking_hits n
          where n.org_id = ${org} and n.delivery_id = t.delivery_id
            and n.at between t.since and t.until
            -- An id is of the month of its moment: no other is looked through. Written as a range, the two would be
            -- taken for rarer than they are, and the whole month read by its ids for each hit.
            and n.id >= t.lowest and n.id < any(array[t.above])
          limit ${crowd}) close
      ) near
    )
    update tracking_hits h set verdict = case when j.why is null then 'human' else 'machine' end, why = j.why
    from judged j where h.org_id = ${org} and h.id = j.id and ${amongIds('h.id', 'taken')}
    returning h.id, h.delivery_id as delivery, h.kind, h.link, h.at, h.verdict`.execute(db);
  await countHits(
    work,
    rows.filter(({ verdict }) => verdict === 'human'),
  );
  return { judged: rows.length, more: rows.length === most };
}
