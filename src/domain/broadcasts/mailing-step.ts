import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import type { Providers } from '../delivery/outgoing.ts';
import { findWebinar, type Webinar } from '../webinars/webinar.ts';
import type { StoredBroadcast } from './broadcast-rows.ts';
import { sleepLane, type LaneRef } from './lane.ts';
import { readRun, type Run } from './run.ts';

/** A mailing is what a workflow sends at one of its nodes, for one webinar: a row like a broadcast's that grows. */
export const isMailing = ({ workflow_id }: Pick<StoredBroadcast, 'workflow_id'>): boolean =>
  workflow_id !== null;

/** Nothing of a mailing goes out once its webinar was canceled, whoever is still added. */
export const isCalledOff = ({ row, webinar }: Pick<Run, 'row' | 'webinar'>): boolean =>
  isMailing(row) && webinar?.status === 'canceled';

/** The same of a mailing nothing else was read of. */
export const isOfCanceledWebinar = async (work: Work, { webinar_id }: StoredBroadcast): Promise<boolean> =>
  webinar_id !== null && (await findWebinar(work, webinar_id))?.status === 'canceled';

const overdueChunk = 5_000;

/**
 * Reads a mailing for one step. Something may keep it from being sent, such as a sender that is not verified any more:
 * then its row says so, and whoever waits is left waiting (`blocked`) until that is mended or it is too late for them,
 * as it is for what a mail server puts off. Too late is judged before anything goes out again, too.
 */
export async function enterMailing(
  work: Work,
  row: StoredBroadcast,
  providers: Providers,
): Promise<Run | 'over' | 'blocked'> {
  if (await isOfCanceledWebinar(work, row)) return 'over';
  const read = await readRun(work, row, providers);
  const error = 'problem' in read ? read.problem : null;
  if (error !== null || row.error !== null) {
    const webinar = row.webinar_id === null ? undefined : await findWebinar(work, row.webinar_id);
    if ((await skipOverdue(work, row, webinar)) === overdueChunk) return 'over'; // the rest in the next step
  }
  if (error !== row.error) await setError(work, row, error);
  return 'problem' in read ? 'blocked' : read.run;
}

const setError = (work: Work, { id }: StoredBroadcast, error: string | null) =>
  work.db
    .updateTable('broadcasts')
    .set({ error, updated_at: work.now })
    .where('org_id', '=', work.org)
    .where('id', '=', id)
    .execute();

/** By the same reckoning as givesUpAt, for many. Answers how many. */
async function skipOverdue(
  { db, org, now }: Work,
  { id }: StoredBroadcast,
  webinar: Webinar | undefined,
): Promise<number> {
  const start = webinar?.start_time ?? null;
  const { numAffectedRows } = await sql`
    with late as (
      select id from deliveries where org_id = ${org} and broadcast_id = ${id} and state = 'pending'
        and ${now} >= case when added_at < ${start}::timestamptz then ${start} else added_at + interval '1 day' end
      order by due_at, id limit ${overdueChunk} for update skip locked)
    update deliveries d set state = 'skipped', reason = 'stopped'
    from late where d.org_id = ${org} and d.id = late.id`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Nobody is left. Its first lane says so of the mailing; every lane sleeps until somebody is added. */
export async function endMailing(work: Work, ref: LaneRef): Promise<void> {
  if (ref.lane.number === 0) {
    await work.db
      .updateTable('broadcasts')
      .set({ status: 'sent', finished_at: work.now, updated_at: work.now })
      .where('org_id', '=', work.org)
      .where('id', '=', ref.lane.broadcast)
      .where('status', '=', 'sending')
      .execute();
  }
  await sleepLane(work, ref);
}
