import { sql } from 'kysely';
import type { Database } from '../../../database/pool.ts';
import type { ServiceParts } from '../../../database/service-work.ts';
import type { Work } from '../../../database/work.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { asService } from '../../orgs/as-service.ts';
import type { ReportPage } from './connector.ts';
import { markAttended } from './mark-attended.ts';
import { isOfSession } from './plan-syncs.ts';
import type { Connectors } from './registry.ts';
import { noteTrouble } from './settle-push.ts';
import { leaseMs, claimSync, type DueSync, type SyncRef } from './sync-attendance-begin.ts';
import { endSync, tryLater } from './sync-attendance-end.ts';

export interface SyncParts extends ServiceParts {
  readonly database: Database;
  readonly connectors: Connectors;
  readonly clock: Clock;
}

export type SyncNext =
  | { readonly outcome: 'not_due' }
  | { readonly outcome: 'read' | 'later'; readonly strangers: number }
  | { readonly outcome: 'on'; readonly ref: SyncRef; readonly waitMs: number };

const pagesAStep = 40;
const triesOfAPage = 4;

/**
 * Reads some pages of a webinar's participants report and returns how to continue. Writes each page as it arrives; no
 * transaction is open during calls to the platform. Reading a page twice changes nothing, so the whole report is read
 * again after two hours and the next day: platforms add people late.
 */
export async function syncAttendance(parts: SyncParts, ref: SyncRef): Promise<SyncNext> {
  const { clock, connectors } = parts;
  const act = <T>(handle: (work: Work) => Promise<T>): Promise<T | undefined> =>
    asService(
      parts.database,
      parts,
      { org: ref.org, now: clock.now(), actor: 'attendance_sync', requestId: `sync ${ref.webinar}` },
      handle,
    );
  const due = await act((work) => claimSync(work, ref));
  if (due === undefined) return { outcome: 'not_due' };
  const reading = { ...due, webinar: ref.webinar };
  let at: SyncRef = { ...ref, ticket: due.ticket };
  for (let pages = 0; pages < pagesAStep; pages++) {
    const page = await connectors[due.platform].participantsReport(due.event, at.cursor, clock.now());
    const written = await act((work) => writePage(work, reading, page)).catch(unlessOvertaken);
    if (written === undefined) return { outcome: 'not_due' }; // the webinar moved, or was unlinked
    const rows = (at.rows ?? 0) + written.rows;
    const strangers = (at.strangers ?? 0) + written.strangers;
    // A cursor that leads back to its own page does not count as a next page.
    if (page.next !== undefined && page.next !== at.cursor) {
      at = { ...at, cursor: page.next, rows, strangers, tries: 0 };
      continue;
    }
    // A report without any rows, not even the host's, has not been made yet.
    if (page.final && rows > 0) {
      await act((work) => endSync(work, { ...reading, strangers }));
      return { outcome: 'read', strangers };
    }
    const waitMs = waitFor(page, at, clock.now());
    if (waitMs !== undefined) return { outcome: 'on', ref: { ...at, tries: (at.tries ?? 0) + 1 }, waitMs };
    await act((work) => tryLater(work, { ...reading, page, now: clock.now() }));
    return { outcome: 'later', strangers };
  }
  return { outcome: 'on', ref: at, waitMs: 0 };
}

/** How long to wait before asking for a page in the middle again by its cursor. Any other read begins anew later. */
function waitFor(page: ReportPage, { cursor, tries = 0 }: SyncRef, now: Date): number | undefined {
  if (cursor === undefined || page.final || page.account === true || tries >= triesOfAPage) return undefined;
  const waitMs = page.retryAt === undefined ? 15_000 * 2 ** tries : page.retryAt.getTime() - now.getTime();
  return waitMs < leaseMs / 2 ? Math.max(waitMs, 0) : undefined;
}

/** Another reader has taken over: what this one read is not written. */
class Overtaken extends Error {}

const unlessOvertaken = (error: unknown): undefined => {
  if (!(error instanceof Overtaken)) throw error;
};

/**
 * Checks last whether this reader still has the ticket: until it locks the link's row it delays no other transaction,
 * least of all one that moves the webinar.
 */
async function writePage(
  work: Work,
  { webinar, ...due }: DueSync & { readonly webinar: string },
  page: ReportPage,
): Promise<{ rows: number; strangers: number }> {
  const rows = page.rows.filter(({ leftAt }) => leftAt === undefined || isOfSession(leftAt, due.start));
  const { strangers } = await markAttended(work, webinar, rows);
  if (due.hadTrouble && page.why === undefined) await noteTrouble(work, due.event.account.id, null);
  const { rows: held } = await sql`
    update platform_links set sync_at = ${new Date(work.now.getTime() + leaseMs)}
    where org_id = ${work.org} and webinar_id = ${webinar} and sync_ticket = ${due.ticket}
    returning 1`.execute(work.db);
  if (held.length === 0) throw new Overtaken('another reads this report');
  return { rows: rows.length, strangers };
}
