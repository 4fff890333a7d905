import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import { claimWindow, firstInHand, type Claimed } from '../../delivery/ledger/ledger.ts';
import { settleWindow, type Settled } from '../../delivery/ledger/settle.ts';
import { takeAllowance } from '../../orgs/allowance.ts';
import { few } from './for-few.ts';
import { holdLane, isInHand, leaseEnd, setLane, type LaneRef } from './lane.ts';
import { isMailing } from './mailing-step.ts';
import type { Run } from './run.ts';
import { numberWindow, type Numbered } from './windows.ts';

const pacedWindow = 16; // a paced send has time to be careful

const soonMs = 1_000;

export interface Hold {
  readonly ref: LaneRef;
  readonly ticket: number;
  readonly claim: string;
  /** The process that claims, by the name in its journal. */
  readonly by: string | undefined;
  /** Messages that the lane may have in hand at once, unless the send is paced. */
  readonly size?: number;
}

export interface Taken extends Numbered {
  readonly claimed: readonly Claimed[];
  readonly chargedAt: Date;
  readonly more: boolean;
  /** The whole installation holds its sending. */
  readonly held: boolean;
}

/** Claims due recipients and charges the allowance; recipients beyond it are left out. */
export async function claimNext(
  work: Work,
  run: Run,
  { ref, ticket, claim, by, size: unpaced = few }: Hold,
): Promise<Taken> {
  const nothing = { claimed: [], chargedAt: work.now, more: false, held: false, number: 0, known: [] };
  if ((await holdLane(work, ref, ticket)) !== 'mine') return nothing;
  const broadcast = ref.lane.broadcast;
  const { status, held } = await work.db
    .selectFrom('broadcasts')
    .select(['status', sql<boolean>`(select held_at is not null from installation)`.as('held')])
    .where('org_id', '=', work.org)
    .where('id', '=', broadcast)
    .executeTakeFirstOrThrow();
  if (status !== 'sending') return nothing;
  if (held) return { ...nothing, held };
  const size = isPaced(run, work.now) ? pacedWindow : unpaced;
  const month = isMailing(run.row) ? undefined : (run.row.started_at ?? undefined);
  const claimed = await claimWindow(work, { broadcast, lane: ref.lane.number, claim, size, month });
  if (claimed.length === 0) return nothing;
  // An earlier window may still be in hand, in a database that went back or of a step that ran twice.
  const place = await firstInHand(work, broadcast, ref.lane.number);
  await setLane(work, ref, { next_at: leaseEnd(work), resting: false, ...place });
  const granted = await takeAllowance(work, run.draft.channel, claimed.length);
  // Messages in hand may fail and return their allowance, so recipients beyond it wait for them. Then it is used up.
  const mayCome = granted > 0 || (await isInHand(work, ref, 'others'));
  const left: Omit<Settled, 'id'> = mayCome
    ? { state: 'pending', due_at: new Date(work.now.getTime() + soonMs), untried: true }
    : { state: 'skipped', reason: 'allowance_used_up', untried: true };
  await settleWindow(
    work,
    claim,
    claimed.slice(granted).map(({ id }) => ({ id, ...left })),
  );
  const numbered = await numberWindow(work, ref, claim, by);
  const more = claimed.length === size && !(granted === 0 && mayCome);
  return { claimed: claimed.slice(0, granted), chargedAt: work.now, more, held, ...numbered };
}

const isPaced = ({ row }: Run, now: Date): boolean =>
  now.getTime() < (row.send_at?.getTime() ?? 0) + (row.paced_over_hours ?? 0) * 3_600_000;
