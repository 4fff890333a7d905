import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import { shareClock } from '../../waits/clock.ts';
import type { Pushed, Retry } from './connector.ts';
import { nextDay } from './next-day.ts';
import { pullForward } from './pull-forward.ts';

export interface Settling {
  readonly webinar: string;
  readonly link: string;
  readonly registration: string;
  /** The service's time. */
  readonly now: Date;
}

/**
 * Records the outcome of a push. Ignores it if the webinar was meanwhile unlinked or linked to another event. Runs that
 * waited for the personal link set out when it arrives, or when it never will.
 */
export async function settlePush(
  work: Work,
  settling: Settling,
  pushed: Exclude<Pushed, Retry>,
): Promise<void> {
  const { webinar, registration, now } = settling;
  const written =
    pushed.status === 'refused'
      ? sql`push_state = 'refused', push_next_at = null, push_error = ${pushed.why}`
      : pushed.status === 'registered'
        ? sql`push_state = 'registered', push_next_at = null, push_error = null,
            external_id = ${pushed.externalId}, join_url = ${pushed.joinUrl}`
        : // The platform reports a host's approval; in case that report is missed, the push asks tomorrow.
          sql`push_next_at = ${nextDay(now)}, push_error = 'waits for approval', external_id = ${pushed.externalId}`;
  await shareClock(work, webinar); // before locking the registration, as link_webinar does
  const isWritten = await write(work, settling, written);
  if (isWritten && pushed.status !== 'pending') await pullForward(work, webinar, registration);
}

/**
 * Tries again later. A counted attempt waits as long as its claim said, or longer if the platform said so; an uncounted
 * one was no attempt, and waits until `resumeAt`.
 */
export async function postponePush(
  work: Work,
  settling: Settling,
  retry: Pick<Retry, 'why' | 'counted' | 'retryAt'> | undefined,
  resumeAt: Date,
): Promise<void> {
  const why = retry === undefined ? sql`push_error` : sql`${retry.why}`;
  const written =
    retry?.counted === true
      ? sql`push_error = ${why}, push_next_at = greatest(push_next_at, ${retry.retryAt ?? null})`
      : sql`push_error = ${why}, push_next_at = ${resumeAt}, push_attempts = push_attempts - 1`;
  await write(work, settling, written);
}

async function write(
  { db, org }: Work,
  { webinar, link, registration }: Settling,
  written: ReturnType<typeof sql>,
): Promise<boolean> {
  const { rows } = await sql`
    update registrations r set ${written}
    from platform_links l
    where r.org_id = ${org} and r.id = ${registration} and r.push_state = 'pending'
      and l.org_id = ${org} and l.webinar_id = ${webinar} and l.id = ${link}
    returning 1`.execute(db);
  return rows.length > 0;
}

/** Notes the trouble on the connection, where its organization can see and repair it. */
export async function noteTrouble(
  { db, org, now }: Work,
  connection: string,
  why: string | null,
): Promise<void> {
  await sql`
    update platform_connections set trouble = ${why}, trouble_at = ${why === null ? null : now}
    where org_id = ${org} and id = ${connection} and trouble is distinct from ${why}`.execute(db);
}
