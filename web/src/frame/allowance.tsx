import { Link } from '@tanstack/react-router';
import { useAsk, useOrg } from '../call/use-call.ts';
import { count } from '../format/number.ts';
import { monthName } from '../format/time.ts';

/** 50k, where that is exact: the sidebar is narrow. */
const short = (value: number): string =>
  value > 0 && value % 1_000 === 0 ? `${count(value / 1_000)}k` : count(value);

/** This month's emails, at the foot of the sidebar. */
export function Allowance() {
  const org = useOrg();
  const { data } = useAsk('get_usage', {});
  if (data === undefined) return null;
  const { used, per_month } = data.email;
  return (
    <Link className="allow" to="/o/$org/settings/usage" params={{ org }}>
      <span className="row">
        <span>Emails, {monthName(data.month)}</span>
        <span className="end">
          {count(used)}
          {per_month !== null && ` of ${short(per_month)}`}
        </span>
      </span>
      {per_month !== null && (
        <span className="meter">
          <i style={{ width: `${Math.min(100, (100 * used) / Math.max(1, per_month))}%` }} />
        </span>
      )}
    </Link>
  );
}
