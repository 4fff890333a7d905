import { sql } from 'kysely';
import { holdSending, readSending } from '../../../database/held-sending.ts';
import type { Work } from '../../../database/work.ts';
import { isQueuedInHand } from '../../delivery/ledger/ledger.ts';
import { amongIds, nextIdIn } from '../../delivery/ledger/ledger-month.ts';
import { takeAllowance } from '../../orgs/allowance.ts';
import { writeAudit } from '../../orgs/audit.ts';
import type { FencedWindow, LastWindow } from './fence.ts';
import { inRun } from './in-run.ts';
import { holdLane, type LaneRef } from './lane.ts';
import { isMailing } from './mailing-step.ts';
import type { Run, RunParts } from './run.ts';
import { fencedName, forgottenAmong, rememberWindows } from './windows.ts';

const page = 50; // windows read from the fence at once
const atOnce = 8; // windows whose recipients one statement looks for

const because =
  'The database lacks messages that were handed over: it went back to an earlier state, as by a failover or a restore.';

/**
 * The database lacks windows that were noted: it went back. All sending holds until an operator releases it. Windows
 * from before that release are then caught up on: whoever was in them and is not settled is uncertain, because their
 * message may have gone out. Returns whether the lane may continue.
 */
export async function catchUp(
  parts: RunParts,
  ref: LaneRef,
  ticket: number,
  run: Run,
  last: readonly LastWindow[],
): Promise<boolean> {
  const forgotten = await inRun(parts, ref, async (work) => {
    const lanes = await forgottenAmong(work, run.row.id, last);
    const { released_at } = await readSending(work.db);
    const isReleased = lanes.every(({ at }) => released_at !== null && at <= released_at.getTime());
    if (!isReleased) await holdSending(work.db, parts.clock.now(), because);
    return isReleased ? lanes : [];
  });
  if (forgotten === undefined || forgotten.length === 0) return false;
  const windows = await readForgotten(parts, ref, run, forgotten);
  if (windows === undefined) return false;
  const marked = await inRun(parts, ref, (work) => giveUpForgotten(work, ref, ticket, run, windows));
  if (marked === undefined) return false;
  parts.onOutcomes?.(
    run.draft.channel,
    Array.from({ length: marked }, () => 'uncertain'),
  );
  return true;
}

/** Reads back from the last window of each lane to one that the database knows. */
async function readForgotten(
  parts: RunParts,
  ref: LaneRef,
  { row }: Run,
  lanes: readonly LastWindow[],
): Promise<FencedWindow[] | undefined> {
  const all: FencedWindow[] = [];
  for (const { lane, number } of lanes) {
    for (let upTo = number; upTo > 0; upTo -= page) {
      const windows = await parts.fence.read(fencedName(ref.org_id, row), { lane, upTo, most: page });
      if (windows === undefined) return undefined;
      const forgotten = (await inRun(parts, ref, (work) => forgottenAmong(work, row.id, windows))) ?? [];
      // Those below a known one are none: tidying deleted them.
      const known = windows.findIndex((window) => !forgotten.includes(window));
      all.push(...(known === -1 ? windows : windows.slice(0, known)));
      if (known !== -1) break;
    }
  }
  return all;
}

/**
 * In one transaction, while no lane has anything in hand: else another lane could have claimed some of these people.
 * Returns how many are uncertain now.
 */
async function giveUpForgotten(
  work: Work,
  ref: LaneRef,
  ticket: number,
  { draft, row }: Run,
  windows: readonly FencedWindow[],
): Promise<number | undefined> {
  if ((await holdLane(work, ref, ticket, 'all')) !== 'mine') return undefined;
  if (await isQueuedInHand(work, row.id)) return undefined;
  let marked = 0;
  // A few windows a statement: minutes of sending in one would take longer than a statement may.
  for (let from = 0; from < windows.length; from += atOnce) {
    const recipients = windows.slice(from, from + atOnce).flatMap((window) => window.recipients);
    if (isMailing(row)) await addLost(work, row.id, recipients);
    marked += await markLost(work, row.id, recipients);
  }
  await rememberWindows(work, row.id, windows);
  await takeAllowance(work, draft.channel, marked);
  work.touched['broadcast_id'] = row.id;
  work.reason = `${marked} recipients are uncertain: the database had lost their records.`;
  await writeAudit(work, 'give_up_forgotten');
  return marked;
}

/**
 * A run that was taken back, too, reaches the mailing again only later. Its message gets its row here, and addToMailings
 * then adds no other.
 */
async function addLost(
  { db, org, now }: Work,
  broadcast: string,
  recipients: FencedWindow['recipients'],
): Promise<void> {
  await sql`
    insert into deliveries (org_id, id, broadcast_id, person_id, run_id, state, due_at, added_at, occasion)
    select ${org}, ${nextIdIn(now)}, ${broadcast}, p.id, t.run_id, 'pending', ${now}, ${now},
      nextval('delivery_occasions')
    from (select distinct * from ${unnested(recipients)}) t
      join people p on p.org_id = ${org} and p.id = t.person_id
    where not exists (
      select 1 from deliveries d where d.org_id = ${org} and d.person_id = p.id and d.broadcast_id = ${broadcast}
        and d.run_id = t.run_id)`.execute(db);
}

const unnested = (recipients: FencedWindow['recipients']) => sql`
  unnest(${recipients.map(([person]) => person)}::uuid[], ${recipients.map(([, run]) => run)}::uuid[])
    as recipient(person_id, run_id)`;

async function markLost(
  { db, org }: Work,
  broadcast: string,
  recipients: FencedWindow['recipients'],
): Promise<number> {
  const { numAffectedRows } = await sql`
    with lost as (
      select d.id
      from (select * from ${unnested(recipients)}) t
        left join merged_people m on m.org_id = ${org} and m.id = t.person_id
        join deliveries d on d.org_id = ${org} and d.person_id = coalesce(m.survivor_id, t.person_id)
          and d.broadcast_id = ${broadcast} and d.run_id is not distinct from t.run_id
      where d.state = 'pending'
      order by d.id for update of d)
    update deliveries d set state = 'uncertain', reason = 'record_lost'
    where d.org_id = ${org} and ${amongIds('d.id', 'lost')}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
