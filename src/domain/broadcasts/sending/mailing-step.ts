import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import { nobody } from '../../delivery/ledger/ledger.ts';
import { amongIds } from '../../delivery/ledger/ledger-month.ts';
import type { FindProviders } from '../../delivery/outgoing/outgoing.ts';
import { findWebinar, type Webinar } from '../../webinars/record/webinar.ts';
import type { StoredBroadcast } from '../draft/broadcast-rows.ts';
import { sleepLane, type LaneRef } from './lane.ts';
import { readRun, type Run } from './run.ts';

/** A mailing is what a workflow sends at one of its nodes, for one webinar: a row like a broadcast's that grows. */
export const isMailing = ({ workflow_id }: Pick<StoredBroadcast, 'workflow_id'>): boolean =>
  workflow_id !== null;

/** A mailing sends nothing once its webinar is canceled, even if people are still added. */
export const isCalledOff = ({ row, webinar }: Pick<Run, 'row' | 'webinar'>): boolean =>
  isMailing(row) && webinar?.status === 'canceled';

/** The same, for a mailing of which only the row was read. */
export const isOfCanceledWebinar = async (work: Work, { webinar_id }: StoredBroadcast): Promise<boolean> =>
  webinar_id !== null && (await findWebinar(work, webinar_id))?.status === 'canceled';

const overdueChunk = 5_000;

/**
 * Reads a mailing for one step. If it cannot be sent, for example because its sender is no longer verified, its row
 * says why, and its recipients wait (`blocked`) until that is fixed or their message is too late, by the rule for
 * deferred messages. Late messages are also skipped before a fixed mailing sends again.
 */
export async function enterMailing(
  work: Work,
  row: StoredBroadcast,
  providers: FindProviders,
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

/** Skips overdue messages by the rule of givesUpAt. Returns how many. */
async function skipOverdue(
  { db, org, now }: Work,
  { id }: StoredBroadcast,
  webinar: Webinar | undefined,
): Promise<number> {
  const start = webinar?.start_time ?? null;
  const { numAffectedRows } = await sql`
    with late as (
      select d.id from delivery_queue q join deliveries d on d.org_id = q.org_id and d.id = q.id
      where q.org_id = ${org} and q.broadcast_id = ${id} and q.lane = ${nobody}
        and d.org_id = ${org} and d.state = 'pending' and ${now} >=
          case when d.added_at < ${start}::timestamptz then ${start} else d.added_at + interval '1 day' end
      order by q.due_at, q.id limit ${overdueChunk} for update of d skip locked)
    update deliveries d set state = 'skipped', reason = 'stopped'
    where d.org_id = ${org} and ${amongIds('d.id', 'late')}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** No recipient is left. The first lane marks the mailing as sent; every lane sleeps until a person is added. */
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
