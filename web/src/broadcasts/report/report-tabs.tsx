import { Link } from '@tanstack/react-router';
import { useOrg } from '../../call/use-call.ts';
import { count } from '../../format/number.ts';
import type { Broadcast } from '../state-pill.tsx';

const asItIs = { exact: true, includeSearch: false, includeHash: true };

/** What became of a broadcast that has begun, of whom, and what it said. */
export function ReportTabs({ broadcast: { id, counts } }: { readonly broadcast: Broadcast }) {
  const params = { org: useOrg(), broadcast: id };
  return (
    <nav className="tabs" aria-label="About this broadcast">
      <Link to="/o/$org/broadcasts/$broadcast/report" params={params} activeOptions={asItIs}>
        Report
      </Link>
      <Link
        to="/o/$org/broadcasts/$broadcast/report"
        params={params}
        hash="recipients"
        activeOptions={asItIs}
      >
        People <span className="n">{count(counts.recipients)}</span>
      </Link>
      <Link to="/o/$org/broadcasts/$broadcast" params={params} activeOptions={asItIs}>
        Content
      </Link>
    </nav>
  );
}
