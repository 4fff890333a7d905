import { sql } from 'kysely';
import { holdPeople } from '../../../database/hold-people.ts';
import type { Work } from '../../../database/work.ts';
import { momentOf } from '../../waits/clock.ts';
import { accountOf, type AccountRow } from './connection.ts';
import type { PlatformEvent } from './connector.ts';
import { nextDay } from './next-day.ts';
import type { PlatformLimits } from './platform.ts';
import { platformOf, PlatformName } from './registry.ts';

/** Exceeds the time it takes to push one claim, even when the platform is slow. */
const leaseMs = 120_000;
const atATime = 25;
const someMore = 200;

export interface Claimed {
  readonly id: string;
  readonly attempts: number;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly email: string | null;
}

export interface Claim {
  readonly ticket: number;
  readonly link: string;
  readonly platform: PlatformName;
  readonly limits: PlatformLimits;
  readonly event: PlatformEvent;
  /** Why pushing is pointless by now. */
  readonly over: string | undefined;
  readonly hadTrouble: boolean;
  readonly registrants: readonly Claimed[];
}

/**
 * Claims the next registrants of a webinar to push, unless another process is pushing them. Counts an attempt before
 * making it: if this process dies during the attempt, the platform has counted it too. After as many attempts as the
 * platform accepts in a day for one registrant, the next follows tomorrow. `now` is the service's time.
 */
export async function claimPushes(
  work: Work,
  webinar: string,
  held: number | undefined,
  now: Date,
): Promise<Claim | undefined> {
  const { db, org, keys } = work;
  const until = new Date(now.getTime() + leaseMs);
  await holdFurther(work, webinar);
  const { rows } = await sql<
    AccountRow & {
      ticket: number;
      link: string;
      push_after: string | null;
      event_id: string;
      trouble: string | null;
      status: string;
      ends_at: Date;
    }
  >`
    update platform_links l set push_until = ${until}, push_ticket = push_ticket + ${held === undefined ? 1 : 0}
    from platform_connections c, webinars t
    where l.org_id = ${org} and l.webinar_id = ${webinar}
      and ${held === undefined ? sql`(l.push_until is null or l.push_until < ${now})` : sql`l.push_ticket = ${held}`}
      and (l.push_after is not null or exists (
        select 1 from registrations r
        where r.org_id = ${org} and r.webinar_id = ${webinar} and r.push_next_at <= ${now}))
      and c.org_id = l.org_id and c.id = l.connection_id and t.org_id = l.org_id and t.id = l.webinar_id
    returning l.push_ticket as ticket, l.id as link, l.push_after, l.event_id,
      c.id, c.platform, c.account_id, c.details, c.secrets, c.trouble, t.status, ${momentOf('end')} as ends_at`.execute(
    db,
  );
  const [link] = rows;
  if (link === undefined) return undefined;
  const { limits } = platformOf(link.platform);
  let registrants = await takeDue(work, webinar, limits, now);
  if (registrants.length === 0 && link.push_after !== null) {
    await findMore(work, webinar, { id: link.link, after: link.push_after }, now);
    registrants = await takeDue(work, webinar, limits, now);
  }
  return {
    ticket: link.ticket,
    link: link.link,
    platform: PlatformName.parse(link.platform),
    limits,
    event: { account: accountOf(keys.stored, org, link), eventId: link.event_id },
    over: overBecause(link, work.now),
    hadTrouble: link.trouble !== null,
    registrants,
  };
}

/**
 * Locks people before the link and their registrations. A registration written twice in one transaction, marked and
 * then claimed, has its foreign keys checked anew; that check would wait for a merge that holds the person and wants
 * the registration.
 */
const holdFurther = (work: Work, webinar: string): Promise<unknown> =>
  holdPeople(
    work,
    sql`array(
      select r.person_id from platform_links l cross join lateral (
        select person_id from registrations
        where org_id = ${work.org} and webinar_id = ${webinar} and person_id > l.push_after
        order by person_id limit ${someMore}) r
      where l.org_id = ${work.org} and l.webinar_id = ${webinar})`,
    'staying',
  );

/** The pauses after the attempts of a day: 20 seconds, a minute, three, and so on, an hour at most. */
async function takeDue(
  { db, org }: Work,
  webinar: string,
  { callsADay }: PlatformLimits,
  now: Date,
): Promise<Claimed[]> {
  const pauseMs = sql`least(20000 * 3 ^ (push_attempts % ${callsADay}::int), 3600000)`;
  const { rows } = await sql<Claimed>`
    with due as (
      select id from registrations
      where org_id = ${org} and webinar_id = ${webinar} and push_next_at <= ${now}
      order by push_next_at, id limit ${atATime} for no key update skip locked
    )
    update registrations r set push_attempts = push_attempts + 1, push_next_at =
      case when (push_attempts + 1) % ${callsADay}::int = 0 then ${nextDay(now)}::timestamptz
        else ${now}::timestamptz + ${pauseMs} * interval '1 millisecond' end
    from due, people p
    where r.org_id = ${org} and r.id = due.id and p.org_id = ${org} and p.id = r.person_id
    returning r.id, r.push_attempts as attempts, p.first_name, p.last_name, p.primary_email as email`.execute(
    db,
  );
  return rows;
}

/**
 * Marks the next registrants from before the link was made, once no other is due. Goes in order of person id, which has
 * an index.
 */
async function findMore(
  { db, org }: Work,
  webinar: string,
  link: { readonly id: string; readonly after: string },
  now: Date,
): Promise<void> {
  await sql`
    with further as (
      select id, person_id from registrations
      where org_id = ${org} and webinar_id = ${webinar} and person_id > ${link.after}
      order by person_id limit ${someMore}
    ), held as (
      select id from registrations where org_id = ${org} and id in (select id from further)
      order by id for no key update
    ), marked as (
      update registrations r set push_state = 'pending', push_next_at = ${now}, push_link = ${link.id},
        push_attempts = 0, push_error = null, external_id = null, join_url = null
      from held f where r.org_id = ${org} and r.id = f.id and r.push_link is distinct from ${link.id}
    )
    update platform_links set push_after = (select person_id from further order by person_id desc limit 1)
    where org_id = ${org} and webinar_id = ${webinar}`.execute(db);
}

const overBecause = (
  { status, ends_at }: { status: string; ends_at: Date },
  now: Date,
): string | undefined => {
  if (status === 'canceled') return 'the webinar was canceled';
  return ends_at < now ? 'the webinar is over' : undefined;
};
