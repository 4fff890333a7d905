import { sql } from 'kysely';
import type { Database } from '../database/pool.ts';
import { nextIdIn } from '../domain/delivery/ledger/ledger-month.ts';
import { engagementWith } from '../domain/filters/engagement-score.ts';
import type { OrgId } from '../kernel/ids.ts';
import { numbered } from './demonstration-year.ts';
import { drawn } from './seed-people.ts';

export interface Sent {
  readonly id: string;
  readonly subject: string;
  readonly link: string;
  readonly at: Date;
  /** Varies by broadcast, so that different people open each. */
  readonly salt: number;
}

/** The broadcast as if it had been sent then: its ledger, whose triggers count, and the timelines. */
export async function fillLedger(db: Database, org: OrgId, sent: Sent): Promise<void> {
  const { id, at, salt } = sent;
  const by = JSON.stringify({ kind: 'service', id: 'demonstration' });
  await sql`
    update broadcasts set status = 'sending', send_at = ${at}, scheduled_at = ${at}, started_at = ${at}, prepared_at = ${at},
      paced_over_hours = 3, planned_by = ${by}, scheduled_by = ${by}, revision = 2, updated_at = ${at}
    where org_id = ${org} and id = ${id}`.execute(db);
  await sql`
    insert into deliveries (org_id, id, broadcast_id, person_id, state, reason, due_at, address)
    select p.org_id, ${nextIdIn(at)}, ${id}, p.id, case when o.email_opt_out then 'skipped' else 'pending' end,
      case when o.email_opt_out then 'opted_out' end, ${at}::timestamptz + make_interval(secs => ${drawn(salt, 10_800)}::int),
      p.primary_email
    from ${numbered(org)} left join opt_outs o on o.org_id = p.org_id and o.person_id = p.id
    where p.created_at < ${at}
    order by n`.execute(db);
  await sql`
    update deliveries d set state = 'sent', attempts = 1, sent_at = due_at, delivered_at = due_at + interval '2 seconds',
      opened_at = opened, clicked_at = case when ${drawn(salt + 1, 100)} < 30 then opened + interval '1 minute' end,
      unsubscribed_at = case when ${drawn(salt + 2, 100)} < 3 then opened + interval '2 minutes' end
    from ${numbered(org)}, lateral (select case when ${drawn(salt + 3, 100)} < 44
      then ${at}::timestamptz + make_interval(mins => 200 + ${drawn(salt + 4, 4_000)}::int) end as opened) t
    where d.org_id = ${org} and d.broadcast_id = ${id} and d.person_id = p.id and d.state = 'pending'`.execute(
    db,
  );
  await sql`
    insert into opt_outs (org_id, person_id, email_opt_out, sms_opt_out, updated_at)
    select org_id, person_id, true, false, unsubscribed_at from deliveries
    where org_id = ${org} and broadcast_id = ${id} and unsubscribed_at is not null
    on conflict do nothing`.execute(db);
  await addToTimelines(db, org, sent);
  await sql`
    update broadcasts set status = 'sent', finished_at = ${at}::timestamptz + interval '3 hours', updated_at = ${at}
    where org_id = ${org} and id = ${id}`.execute(db);
}

async function addToTimelines(db: Database, org: OrgId, { id, link }: Sent): Promise<void> {
  await sql`
    insert into events (org_id, id, person_id, name, custom_properties, occurred_at, created_at)
    select org_id, new_id(e.at), person_id, e.name, jsonb_build_object('broadcast_id', broadcast_id) || e.more, e.at, e.at
    from deliveries, lateral (values
      ('$svc_email_opened', opened_at, '{}'::jsonb),
      ('$svc_email_clicked', clicked_at, jsonb_build_object('link', 0, 'url', ${link}::text)),
      ('$svc_unsubscribed', unsubscribed_at, '{}'::jsonb)) e(name, at, more)
    where org_id = ${org} and broadcast_id = ${id} and e.at is not null
    order by e.at`.execute(db);
}

/** Derives people's engagement from what they opened and clicked. */
export async function followOpens(db: Database, org: OrgId, now: Date): Promise<void> {
  const scores = [0, 24, 41, 55, 67, 78, 88].map((score) => engagementWith(score, now));
  await sql`
    update people p set last_opened_at = d.opened, last_clicked_at = d.clicked,
      engagement = case when d.hits > 0 then (${scores}::double precision[])[1 + d.hits] end
    from (
      select person_id, max(opened_at) as opened, max(clicked_at) as clicked,
        (count(opened_at) + count(clicked_at))::int as hits
      from deliveries where org_id = ${org} group by person_id) d
    where p.org_id = ${org} and p.id = d.person_id`.execute(db);
  await sql`
    update people set last_opened_at = null, last_clicked_at = null, engagement = null
    where org_id = ${org} and id not in (select person_id from deliveries where org_id = ${org})`.execute(db);
}
