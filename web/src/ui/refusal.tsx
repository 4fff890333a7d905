import type { Problem } from '../call/problem.ts';
import { Icon } from './icon.tsx';

interface RefusalProps {
  readonly problem: Problem | null;
  /** The fields that tell their own complaints. */
  readonly fields?: readonly string[];
}

/** What the service refused and no field tells, in its own words. */
export const Refusal = ({ problem, fields = [] }: RefusalProps) =>
  problem !== null && !problem.isAllAt(fields) ? (
    <p className="note bad" role="alert">
      <Icon name="bad" />
      <span>{problem.message}</span>
    </p>
  ) : null;
