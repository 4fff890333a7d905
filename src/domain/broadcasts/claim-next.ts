import type { Work } from '../../database/work.ts';
import { claimWindow, type Claimed } from '../delivery/ledger.ts';
import { settleWindow, type Settled } from '../delivery/settle.ts';
import { takeAllowance } from '../orgs/allowance.ts';
import { holdLane, leaseEnd, setLane, type LaneRef } from './lane.ts';
import type { Run } from './run.ts';

// What is in hand at once in a lane: as many are uncertain when it is killed. A paced send has time to be careful.
const windowSize = { paced: 16, atOnce: 64 };

const soonMs = 1_000;

export interface Hold {
  readonly ref: LaneRef;
  readonly ticket: number;
  readonly claim: string;
}

/** Claims what is due and takes it from the allowance; whoever is beyond that is left out. */
export async function claimNext(
  work: Work,
  run: Run,
  { ref, ticket, claim }: Hold,
): Promise<{ claimed: readonly Claimed[]; more: boolean }> {
  const nothing = { claimed: [], more: false };
  if ((await holdLane(work, ref, ticket)) !== 'mine') return nothing;
  const broadcast = ref.lane.broadcast;
  const { status } = await work.db
    .selectFrom('broadcasts')
    .select('status')
    .where('org_id', '=', work.org)
    .where('id', '=', broadcast)
    .executeTakeFirstOrThrow();
  if (status !== 'sending') return nothing;
  const size = isPaced(run, work.now) ? windowSize.paced : windowSize.atOnce;
  const claimed = await claimWindow(work, { broadcast, lane: ref.lane.number, claim, size });
  if (claimed.length === 0) return nothing;
  await setLane(work, ref, { next_at: leaseEnd(work), resting: false });
  const granted = await takeAllowance(work, run.draft.channel, claimed.length);
  // What is in hand may not go out and be given back: whoever is beyond waits for that. Then it is used up.
  const mayCome = granted > 0 || (await isInHand(work, broadcast, claim));
  const left: Omit<Settled, 'id'> = mayCome
    ? { state: 'pending', due_at: new Date(work.now.getTime() + soonMs), untried: true }
    : { state: 'skipped', reason: 'allowance_used_up', untried: true };
  await settleWindow(
    work,
    claim,
    claimed.slice(granted).map(({ id }) => ({ id, ...left })),
  );
  return { claimed: claimed.slice(0, granted), more: claimed.length === size && !(granted === 0 && mayCome) };
}

/** Whether anybody but this claim is handing over. */
async function isInHand({ db, org }: Work, broadcast: string, claim: string): Promise<boolean> {
  const found = await db
    .selectFrom('deliveries')
    .select('id')
    .where('org_id', '=', org)
    .where('broadcast_id', '=', broadcast)
    .where('state', '=', 'sending')
    .where('claim', '<>', claim)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

const isPaced = ({ row }: Run, now: Date): boolean =>
  now.getTime() < (row.send_at?.getTime() ?? 0) + (row.paced_over_hours ?? 0) * 3_600_000;
