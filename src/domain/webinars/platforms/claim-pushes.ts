import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import { momentOf } from '../../waits/clock.ts';
import { accountOf } from './connection.ts';
import type { PlatformEvent } from './connector.ts';
import { nextDay } from './zoom-answers.ts';

/** Longer than a claim takes to be worked off, however slow the platform is. */
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
  readonly platform: 'zoom';
  readonly event: PlatformEvent;
  /** Why there is no more use in pushing anybody. */
  readonly over: string | undefined;
  readonly hadTrouble: boolean;
  readonly registrants: readonly Claimed[];
}

/**
 * Takes the next registrants of a webinar to be pushed, unless somebody else is at it. An attempt is counted before it
 * is made: should this process die in the middle of it, the platform has counted it too. Zoom takes three calls a day
 * for one registrant, so after every third the next comes tomorrow. `now` is the service's.
 */
export async function claimPushes(
  work: Work,
  webinar: string,
  held: number | undefined,
  now: Date,
): Promise<Claim | undefined> {
  const { db, org, keys } = work;
  const until = new Date(now.getTime() + leaseMs);
  const { rows } = await sql<{
    ticket: number;
    link: string;
    push_after: string | null;
    platform: 'zoom';
    event_id: string;
    id: string;
    account_id: string;
    client_id: string;
    secrets: Buffer;
    trouble: string | null;
    status: string;
    ends_at: Date;
  }>`
    update platform_links l set push_until = ${until}, push_ticket = push_ticket + ${held === undefined ? 1 : 0}
    from platform_connections c, webinars t
    where l.org_id = ${org} and l.webinar_id = ${webinar}
      and ${held === undefined ? sql`(l.push_until is null or l.push_until < ${now})` : sql`l.push_ticket = ${held}`}
      and (l.push_after is not null or exists (
        select 1 from registrations r
        where r.org_id = ${org} and r.webinar_id = ${webinar} and r.push_next_at <= ${now}))
      and c.org_id = l.org_id and c.id = l.connection_id and t.org_id = l.org_id and t.id = l.webinar_id
    returning l.push_ticket as ticket, l.id as link, l.push_after, c.platform, l.event_id, c.id, c.account_id, c.client_id, c.secrets, c.trouble,
      t.status, ${momentOf('end')} as ends_at`.execute(db);
  const [link] = rows;
  if (link === undefined) return undefined;
  let registrants = await takeDue(work, webinar, now);
  if (registrants.length === 0 && link.push_after !== null) {
    await findMore(work, webinar, { id: link.link, after: link.push_after }, now);
    registrants = await takeDue(work, webinar, now);
  }
  return {
    ticket: link.ticket,
    link: link.link,
    platform: link.platform,
    event: { account: accountOf(keys.stored, org, link), eventId: link.event_id },
    over: overBecause(link, work.now),
    hadTrouble: link.trouble !== null,
    registrants,
  };
}

async function takeDue({ db, org }: Work, webinar: string, now: Date): Promise<Claimed[]> {
  const [soon, later] = [20_000, 60_000].map((ms) => new Date(now.getTime() + ms));
  const { rows } = await sql<Claimed>`
    with due as (
      select id from registrations
      where org_id = ${org} and webinar_id = ${webinar} and push_next_at <= ${now}
      order by push_next_at, id limit ${atATime} for no key update skip locked
    )
    update registrations r set push_attempts = push_attempts + 1, push_next_at =
      case push_attempts % 3 when 0 then ${soon}::timestamptz when 1 then ${later} else ${nextDay(now)} end
    from due, people p
    where r.org_id = ${org} and r.id = due.id and p.org_id = ${org} and p.id = r.person_id
    returning r.id, r.push_attempts as attempts, p.first_name, p.last_name, p.primary_email as email`.execute(
    db,
  );
  return rows;
}

/**
 * Marks the next of those who had registered before the link was made, when nobody else is left. In the order of the
 * people, because there is an index of that.
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
    ), marked as (
      update registrations r set push_state = 'pending', push_next_at = ${now}, push_link = ${link.id},
        push_attempts = 0, push_error = null, external_id = null, join_url = null
      from further f where r.org_id = ${org} and r.id = f.id and r.push_link is distinct from ${link.id}
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
