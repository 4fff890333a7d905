import { sql } from 'kysely';
import type { Database } from '../database/pool.ts';
import type { OrgId } from '../kernel/ids.ts';
import { drawn } from './seed-people.ts';

/** People with the number they were made from. */
export const numbered = (org: OrgId) => sql`
  (select p.*, substr(external_user_id, 5)::bigint as n from people p
   where org_id = ${org} and external_user_id like 'ext-%') p`;

/** What the payment processor would report of people who pay, paid or are on trial. */
export async function addSubscriptions(db: Database, org: OrgId, now: Date): Promise<void> {
  await sql`
    insert into subscriptions (org_id, id, person_id, processor, processor_subscription_id, status, item_names, cost,
      started_at, canceled_at, current_period_start, current_period_end, created_at)
    select org_id, new_id(created_at), id, payment_processor, 'sub_' || n, subscription_status, array['Membership'],
      case when mrr > 0 then mrr else 1900 end, created_at,
      case when subscription_status = 'canceled' then created_at + (${now}::timestamptz - created_at) / 2 end,
      period, period + interval '30 days', created_at
    from ${numbered(org)},
      lateral (select ${now}::timestamptz - make_interval(days => ${drawn(21, 28)}::int) as period) c
    where subscription_status is not null
    order by n`.execute(db);
}

/** Up to fourteen events of each person within the year. */
export async function addEvents(db: Database, org: OrgId, now: Date): Promise<void> {
  await sql`
    insert into events (org_id, id, person_id, name, custom_properties, occurred_at, created_at)
    select org_id, new_id(at), id,
      (array['logged_in', 'logged_in', 'logged_in', 'report_exported', 'teammate_invited', 'price_page_viewed'])[1 + abs(h) % 6],
      '{}', at, at
    from ${numbered(org)},
      lateral generate_series(1, ${drawn(22, 15)}) i,
      lateral (select hashint8extended(n * 100 + i, 23) % 1000000 as h) r,
      lateral (select ${now}::timestamptz - make_interval(mins => (abs(h) % 525600)::int) as at) t
    where at > created_at
    order by at`.execute(db);
}

export interface Held {
  readonly id: string;
  readonly title: string;
  readonly start_time: Date;
  /** Percent of those who were there already. */
  readonly share: number;
}

/** Who registered within the three weeks before, and who of them came: about half. */
export async function addRegistrations(db: Database, org: OrgId, held: Held): Promise<void> {
  const salt = held.share;
  await sql`
    with registered as (
      insert into registrations (org_id, id, webinar_id, person_id, registered_at, attended, attendance_source, attendance_at)
      select org_id, new_id(at), ${held.id}, id, at, ${drawn(salt, 100)} < 55, 'api', ${held.start_time}::timestamptz + interval '1 hour'
      from ${numbered(org)},
        lateral (select ${held.start_time}::timestamptz - make_interval(mins => 60 + ${drawn(salt + 1, 30_000)}::int) as at) t
      where created_at < at and ${drawn(salt + 2, 100)} < ${held.share}
      order by at
      returning *)
    insert into events (org_id, id, person_id, name, custom_properties, occurred_at, created_at)
    select org_id, new_id(e.at), person_id, e.name, jsonb_build_object('webinar_id', webinar_id,
      'webinar_title', ${held.title}::text, 'registration_id', id) || e.more, e.at, e.at
    from registered, lateral (values
      ('$svc_webinar_registration', registered_at, '{}'::jsonb),
      ('$svc_webinar_attendance', attendance_at, jsonb_build_object('attended', attended))) e(name, at, more)
    order by e.at`.execute(db);
}
