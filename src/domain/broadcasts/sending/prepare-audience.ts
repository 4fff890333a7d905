import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Work } from '../../../database/work.ts';
import { nextIdIn } from '../../delivery/ledger/ledger-month.ts';
import { exclusion } from '../plan/audience.ts';
import type { Run } from './run.ts';

// People read in a transaction: a second of work, lost if it is interrupted.
const chunk = 20_000;

// A list ends this long before its hours are over, so that its last message is out in time, too.
const marginSeconds = 300;

/**
 * Writes the next part of the current audience into the ledger: excluded people with the reason, all others with the
 * time of their turn. Returns whether that was the last part.
 *
 * A hash of the person gives the order within the hours, so it is the same in every attempt and independent of age. The
 * ledger takes a person once, so repeating a part changes nothing.
 */
export async function prepareNext(work: Work, run: Run): Promise<boolean> {
  const { db, org } = work;
  const { id, prepared_through: after, send_at, started_at } = run.row;
  const upTo = await lastOfChunk(work, run, after);
  // Registrants are bounded by their own column, too: else every part would read all of them.
  const columns = run.draft.audience === 'webinar' ? ['people.id', 'r.person_id'] : ['people.id'];
  const bounds = columns.flatMap((column) => [
    ...(after === null ? [] : [sql<SqlBool>`${sql.ref(column)} > ${after}`]),
    ...(upTo === null ? [] : [sql<SqlBool>`${sql.ref(column)} <= ${upTo}`]),
  ]);
  const people = bounds.reduce((query, bound) => query.where(bound), run.audience.people);
  const judged = exclusion(work, people, run.draft.channel).select('people.id');
  const seconds = Math.max(0, (run.row.paced_over_hours ?? 0) * 3_600 - marginSeconds);
  const rows = sql`
    insert into deliveries (org_id, id, broadcast_id, person_id, state, reason, due_at)
    select ${org}, ${nextIdIn(started_at!)}, ${id}, judged.id, case when excluded is null then 'pending' else 'skipped' end, excluded,
      ${send_at}::timestamptz + make_interval(secs =>
        ${seconds} * (uuid_hash_extended(judged.id, 0) & 4294967295) / 4294967296.0)
    from (${judged}) judged`;
  await addOnce(work, rows);
  await db
    .updateTable('broadcasts')
    .set({ prepared_through: upTo ?? after, ...(upTo === null && { prepared_at: work.now }) })
    .where('org_id', '=', org)
    .where('id', '=', id)
    .execute();
  return upTo === null;
}

const taken = '23505';

/**
 * A person may be in the ledger already: the survivor of a merge has the other's row. That is rare, and checking every
 * row takes as long as writing it; so all rows are inserted, and checked only after a conflict.
 */
async function addOnce({ db }: Work, rows: RawBuilder<unknown>): Promise<void> {
  await sql`savepoint adding`.execute(db);
  try {
    await rows.execute(db);
  } catch (error) {
    if ((error as { code?: string }).code !== taken) throw error;
    await sql`rollback to savepoint adding`.execute(db);
    await sql`${rows} on conflict do nothing`.execute(db);
  }
}

/** Of a webinar only those registered count: else a few among very many people would take as many parts as all. */
async function lastOfChunk({ db, org }: Work, { draft }: Run, after: string | null): Promise<string | null> {
  const [column, from] =
    draft.audience === 'webinar'
      ? [sql.ref('person_id'), sql`registrations where webinar_id = ${draft.webinar_id} and`]
      : [sql.ref('id'), sql`people where`];
  const { rows } = await sql<{ id: string }>`
    select ${column} as id from ${from} org_id = ${org} and ${after === null ? sql`true` : sql`${column} > ${after}`}
    order by ${column} offset ${chunk - 1} limit 1`.execute(db);
  return rows[0]?.id ?? null;
}
