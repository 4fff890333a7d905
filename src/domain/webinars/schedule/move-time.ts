import type { Selectable, Updateable } from 'kysely';
import { TryAgain } from '../../../database/org-transaction.ts';
import type { Webinars } from '../../../database/tables.generated.ts';
import type { Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import type { WebinarId } from '../../../kernel/ids.ts';
import { holdClock, setClock } from '../../waits/clock.ts';
import { platformTimesMoved } from '../platforms/plan-syncs.ts';
import { requireWebinar } from '../record/webinar.ts';

export type WebinarRow = Selectable<Webinars>;

/**
 * Holds a webinar whose time may change: no other transaction relies on that time until this one commits, and changes
 * follow one another. Looks the webinar up first, so that a guessed id cannot hold another organization's clock.
 */
export async function holdTime(work: Work, webinar: WebinarId): Promise<WebinarRow> {
  await requireWebinar(work, webinar);
  await holdClock(work, webinar);
  return holdRow(work, webinar);
}

/** Locks a webinar's row, for changes that leave its time as it is. A caller that needs both takes the clock first. */
export async function holdRow({ db, org }: Work, webinar: WebinarId): Promise<WebinarRow> {
  const row = await db
    .selectFrom('webinars')
    .selectAll()
    .where('org_id', '=', org)
    .where('id', '=', webinar)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new TryAgain(); // deleted since it was looked up
  return row;
}

export function refuseCanceled({ status }: { readonly status: string }): void {
  if (status === 'canceled')
    throw new Failure(
      'webinar_canceled',
      'The webinar was canceled, which is for good. Create a new one for another date.',
    );
}

interface Times {
  readonly start_time: Date;
  readonly duration_minutes: number | null;
}

const startOf = ({ start_time }: Times): number => start_time.getTime();
/** As momentOf computes it in SQL. */
const endOf = ({ start_time, duration_minutes }: Times): number =>
  start_time.getTime() + (duration_minutes ?? 60) * 60_000;

/** Which of a webinar's waits a change of times moves. */
const movesBetween = (before: Times, after: Times): { start: boolean; end: boolean } => ({
  start: startOf(before) !== startOf(after),
  end: endOf(before) !== endOf(after),
});

type Changes = Pick<
  Updateable<Webinars>,
  | 'title'
  | 'timezone'
  | 'join_url'
  | 'provider'
  | 'status'
  | 'automation_id'
  | 'duration_minutes'
  | 'canceled_at'
> & { readonly start_time?: Date };

/**
 * Writes the changes of a webinar that is held, and sets its clock when they move its waits. Writes no wait: each is
 * computed from the row (ADR 32).
 *
 * Only a change that brings the start or the end forward sets moved_at, because only such a change can put a wait into
 * the past. After a postponement, a wait that is still due was late before, and late is not past.
 */
export async function changeWebinar(
  work: Work,
  before: WebinarRow,
  changes: Changes,
): Promise<{ after: WebinarRow; moves: { start: boolean; end: boolean } }> {
  const after = { ...before, ...changes } as WebinarRow;
  const moves = movesBetween(before, after);
  const isForward = startOf(after) < startOf(before) || endOf(after) < endOf(before);
  const isChanged = Object.keys(changes).some((name) => !same(before, after, name as keyof WebinarRow));
  if (!isChanged) return { after: before, moves };
  const written = await work.db
    .updateTable('webinars')
    .set({
      ...changes,
      ...(isForward && { moved_at: work.now }),
      updated_at: work.now,
      revision: before.revision + 1,
    })
    .where('org_id', '=', work.org)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  work.touched['webinar_id'] = before.id;
  const isEnded = before.status !== 'canceled' && after.status === 'canceled';
  if (moves.start || moves.end || isEnded) await setClock(work, before.id);
  if (moves.end || isEnded) await platformTimesMoved(work, before.id);
  return { after: written, moves };
}

function same(before: WebinarRow, after: WebinarRow, name: keyof WebinarRow): boolean {
  const [one, other] = [before[name], after[name]];
  return one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : one === other;
}
