import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import type { StoredBroadcast } from '../draft/broadcast-rows.ts';

/** As many are sent to again at once: a second of work in one transaction. The rest wants another plan. */
export const mostAtOnce = 20_000;

/** Failures that say nothing against the address. One that bounced for good is suppressed. */
const mendable = ['refused', 'gave_up'];

/** A condition on rows of the ledger: nobody can know whether they have it, or, if asked for, it failed. */
export const isResendable = (includeFailed: boolean) => sql`(d.ended = 'uncertain'
  ${includeFailed ? sql`or (d.ended = 'failed' and d.reason = any(${mendable}))` : sql``})`;

/** Signs that the first message arrived after all. */
export const hasArrived = sql`coalesce(d.delivered_at, d.opened_at, d.clicked_at, d.replied_at, d.complained_at,
  d.unsubscribed_at) is not null`;

/** The order of deliveries_ended: in that of ids the whole ledger might be read for them. */
export const inTheirTurn = sql`d.ended, d.due_at, d.id`;

export interface Resendable {
  readonly id: number;
  readonly person_id: PersonId | null;
  readonly state: 'uncertain' | 'failed';
  readonly arrived: boolean;
  /** Somebody had it sent again before. */
  readonly again: boolean;
}

/** The recipients that a plan judges, in the order in which they are taken. */
export async function readResendable(
  { db, org }: Work,
  broadcast: string,
  includeFailed: boolean,
): Promise<Resendable[]> {
  const { rows } = await sql<Resendable>`
    select d.id, d.person_id, d.state, ${hasArrived} as arrived, d.former_state is not null as again from deliveries d
    where d.org_id = ${org} and d.broadcast_id = ${broadcast} and ${isResendable(includeFailed)}
    order by ${inTheirTurn} limit ${mostAtOnce}`.execute(db);
  return rows;
}

/** Only what is over can be sent again: until then the run itself decides. */
export function refuseUnlessFinished({ status, started_at, finished_at }: StoredBroadcast): void {
  if (started_at !== null && finished_at !== null) return;
  throw new Failure(
    'not_finished',
    started_at === null
      ? `The broadcast is ${status} and was sent to nobody yet.`
      : 'It is still being sent. Wait until it has ended.',
  );
}
