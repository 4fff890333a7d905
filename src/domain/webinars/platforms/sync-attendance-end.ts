import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { ReportPage } from './connector.ts';
import { lastTryAfterEnd, nextSync } from './plan-syncs.ts';
import { noteTrouble } from './settle-push.ts';
import type { DueSync } from './sync-attendance-begin.ts';

const minute = 60_000;

type Reading = DueSync & { readonly webinar: string };

/** Ends a complete reading and schedules the next one, if any is left. */
export async function endSync(work: Work, reading: Reading & { readonly strangers: number }): Promise<void> {
  const { end, strangers } = reading;
  await write(
    work,
    reading,
    sql`sync_at = ${nextSync(end, work.now) ?? null}, sync_tries = 0, sync_trouble = null,
      sync_strangers = ${strangers}, synced_at = ${work.now}`,
  );
}

/**
 * Schedules another try for a report that is not made yet or not available: at growing intervals, no later than the
 * next planned reading, and not for ever.
 */
export async function tryLater(
  work: Work,
  reading: Reading & { readonly page: ReportPage; readonly now: Date },
): Promise<void> {
  const { end, page, tries, now } = reading;
  const why = page.why ?? 'the report has nobody in it';
  if (page.account === true) await noteTrouble(work, reading.event.account.id, why);
  const pauseMs = Math.min(5 * minute * 2 ** Math.min(tries, 10), 60 * minute);
  const askedMs = page.retryAt === undefined ? 0 : page.retryAt.getTime() - now.getTime();
  const again = new Date(work.now.getTime() + Math.max(pauseMs, askedMs));
  const next = nextSync(end, work.now);
  // A pause that the platform asked for overrides our own plan.
  const sooner = next === undefined || next > again || askedMs > pauseMs ? again : next;
  const at = sooner.getTime() > end.getTime() + lastTryAfterEnd ? null : sooner;
  await write(work, reading, sql`sync_at = ${at}, sync_tries = sync_tries + 1, sync_trouble = ${why}`);
}

const write = ({ db, org }: Work, { webinar, ticket }: Reading, written: ReturnType<typeof sql>) =>
  sql`
    update platform_links set ${written}
    where org_id = ${org} and webinar_id = ${webinar} and sync_ticket = ${ticket}`.execute(db);
