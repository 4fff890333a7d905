import type { Updateable } from 'kysely';
import { orgTransaction } from '../../../database/org-transaction.ts';
import type { Database } from '../../../database/pool.ts';
import type { Broadcasts } from '../../../database/tables.generated.ts';
import type { Work } from '../../../database/work.ts';
import { newId, type OrgId } from '../../../kernel/ids.ts';
import { readClock } from '../../orgs/org-clock.ts';

/** An alarm rings for one revision and does not apply to any other. */
export interface Alarm {
  readonly org_id: OrgId;
  readonly broadcast_id: string;
  readonly revision: number;
}

/**
 * What the alarm found. `early`: it must ring again after `waitMs`. `suspended`: the sweep rings again once the
 * organization is active.
 */
export type BeginOutcome =
  | { readonly outcome: 'moved_on' | 'began' | 'held' | 'failed' | 'suspended' }
  | { readonly outcome: 'early'; readonly waitMs: number };

/** Why delivery did not start: a sentence if it cannot be sent, or how many are in an audience that changed too much. */
export type NotStarted = { readonly problem: string } | { readonly counted: number };

/**
 * Starts the delivery of a broadcast inside the transaction that makes it `sending`; the delivering side implements it.
 */
export type StartDelivery = (db: Database, alarm: Alarm, now: Date) => Promise<NotStarted | undefined>;

/** An outage must not end in a message at the wrong hour: later than this, a person decides. */
const latestMs = 3_600_000;

const next = 'so nothing was sent. Unschedule it to make it a draft again.';
const tooLate = `It could not start within an hour of its time, ${next}`;
const noDelivery = `This installation has no delivery set up, ${next}`;

/**
 * The only way into `sending`, decided by the row's lock: of concurrent alarms, unschedules, changes and deletions, the
 * first to lock it wins. A repeated alarm, or one for a time that was taken back, does nothing.
 */
export function beginSending(
  database: Database,
  alarm: Alarm,
  now: Date,
  deliver: StartDelivery | undefined,
): Promise<BeginOutcome> {
  const { org_id: org, broadcast_id } = alarm;
  return orgTransaction(database, org, 'write', async (db) => {
    const { now: moment, movedAt } = await readClock(db, org, now);
    const row = await db
      .selectFrom('broadcasts')
      .select(['status', 'revision', 'send_at', 'held_at'])
      .select((eb) =>
        eb.selectFrom('organizations as o').select('o.state').whereRef('o.id', '=', 'org_id').as('org_state'),
      )
      .where('org_id', '=', org)
      .where('id', '=', broadcast_id)
      .forUpdate()
      .executeTakeFirst();
    if (row?.status !== 'scheduled' || row.revision !== alarm.revision || row.send_at === null) {
      return { outcome: 'moved_on' };
    }
    if (row.held_at !== null) return { outcome: 'held' };
    const lateMs = moment.getTime() - row.send_at.getTime();
    if (lateMs < 0) return { outcome: 'early', waitMs: -lateMs };
    if (row.org_state !== 'active') return { outcome: 'suspended' };
    // What a test clock leapt over became due at the leap.
    const dueForMs = Math.min(lateMs, movedAt === null ? lateMs : now.getTime() - movedAt.getTime());
    const isTooLate = dueForMs > latestMs;
    const refused = isTooLate || deliver === undefined ? undefined : await deliver(db, alarm, moment);
    if (refused !== undefined && 'counted' in refused) {
      await setRow(db, alarm, { held_at: moment, held_recipients: refused.counted, updated_at: moment });
      await auditBegin(db, alarm, moment, 'hold_broadcast');
      return { outcome: 'held' };
    }
    const error = isTooLate
      ? tooLate
      : deliver === undefined
        ? noDelivery
        : refused === undefined
          ? null
          : `${refused.problem} So ${next.slice(3)}`;
    await setRow(db, alarm, {
      status: error === null ? 'sending' : 'error',
      ...(error === null && { started_at: moment }),
      error,
      updated_at: moment,
    });
    await auditBegin(db, alarm, moment, error === null ? 'begin_sending' : 'fail_to_begin');
    return { outcome: error === null ? 'began' : 'failed' };
  });
}

const setRow = (
  db: Database,
  { org_id, broadcast_id, revision }: Alarm,
  changed: Updateable<Broadcasts>,
): Promise<unknown> =>
  db
    .updateTable('broadcasts')
    .set({ ...changed, revision: revision + 1 })
    .where('org_id', '=', org_id)
    .where('id', '=', broadcast_id)
    .execute();

const auditBegin = (db: Database, { org_id, broadcast_id, revision }: Alarm, at: Date, operation: string) =>
  db
    .insertInto('audit_log')
    .values({
      org_id,
      id: newId(at),
      at,
      request_id: `alarm ${broadcast_id} ${revision}`,
      actor_kind: 'service',
      actor_id: 'broadcast_start',
      face: 'engine',
      address: null,
      operation,
      ids: JSON.stringify({ broadcast_id }),
      reason: null,
    })
    .execute();

/** The organization's scheduled broadcasts that are due by a moment, earliest first. */
export async function dueBroadcasts(
  work: Work,
  by: Date,
): Promise<Record<'broadcast_id' | 'revision', string>[]> {
  const rows = await work.db
    .selectFrom('broadcasts')
    .select(['id', 'revision'])
    .where('org_id', '=', work.org)
    .where('status', '=', 'scheduled')
    .where('held_at', 'is', null)
    .where('send_at', '<=', by)
    .orderBy('send_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id, revision }) => ({ broadcast_id: id, revision: String(revision) }));
}
