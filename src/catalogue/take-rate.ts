import type { CostClass, RateStanding, TakeRate } from '../domain/orgs/rate-limit.ts';
import type { Caller } from '../kernel/caller.ts';
import { Failure } from '../kernel/failure.ts';
import type { AnyOperation } from '../kernel/operation.ts';

const costOf = (operation: AnyOperation): CostClass =>
  operation.cost ?? (operation.effect === 'read' ? 'read' : 'write');

/** Counts a call against its organization. `onStanding` hears how it stands, also when the call is refused. */
export async function takeRate(
  rate: TakeRate,
  operation: AnyOperation,
  caller: Caller,
  onStanding?: (cost: CostClass, standing: RateStanding) => void,
): Promise<void> {
  const cost = costOf(operation);
  const standing = await rate(caller.org, cost, caller.now);
  onStanding?.(cost, standing);
  if (standing.allowed) return;
  throw new Failure(
    'rate_limited',
    `This organization made its ${standing.limit} ${cost} calls of this minute; wait ${standing.resetSeconds} seconds.`,
    {
      retryAfterSeconds: standing.resetSeconds,
    },
  );
}
