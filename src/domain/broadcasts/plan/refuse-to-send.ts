import type { Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import type { PlanCheck } from './plan-checks.ts';
import type { PlanInputs } from './plan-inputs.ts';

interface Actor {
  readonly kind: string;
  readonly id: string;
}

/** The four-eyes rule, for organizations that require it. */
export function refuseSameKey(
  { caller: { actor } }: Work,
  { twoKeySending }: PlanInputs,
  plannedBy: Actor,
  verb: 'schedule' | 'release' | 'resend',
): void {
  if (!twoKeySending || plannedBy.kind !== actor.kind || plannedBy.id !== actor.id) return;
  throw new Failure(
    'second_key_needed',
    `This organization sends with two keys: another credential than the one that planned must ${verb}.`,
  );
}

export function refuseBlocked(checks: readonly PlanCheck[]): void {
  if (checks.length === 0) return;
  throw new Failure('plan_blocked', checks.map(({ message }) => message).join(' '), {
    errors: checks.map(({ code, message }) => ({ pointer: '/checks', code, detail: message })),
  });
}
