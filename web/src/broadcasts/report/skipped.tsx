import { Link } from '@tanstack/react-router';
import { useOrg } from '../../call/use-call.ts';
import { count } from '../../format/number.ts';
import type { Listed } from '../state-pill.tsx';
import { capital, reasonWords } from '../words.ts';
import type { Stats } from './outcomes.tsx';

interface SkippedProps {
  readonly stats: Stats;
  readonly channel: Listed['channel'];
}

/** Why some were not written to, each with who they are. */
export function Skipped({ stats: { broadcast_id, skipped, outcomes }, channel }: SkippedProps) {
  const org = useOrg();
  const most = Math.max(1, ...skipped.map((one) => one.count));
  return (
    <section className="card" aria-label="Why some were skipped">
      <header>
        <h2>
          {outcomes.skipped === 0 ? 'Nobody was skipped' : `Why ${count(outcomes.skipped)} were skipped`}
        </h2>
      </header>
      {skipped.length > 0 && (
        <ul className="list">
          {skipped.map(({ reason, count: some }) => (
            <li key={reason}>
              <span className="grow">{capital(reasonWords('skipped', reason, channel))}</span>
              <span className="meter slate only-wide" aria-hidden="true">
                <i style={{ width: `${(100 * some) / most}%` }} />
              </span>
              <span className="num">{count(some)}</span>
              <Link
                className="link"
                to="/o/$org/broadcasts/$broadcast/report"
                params={{ org, broadcast: broadcast_id }}
                search={{ outcome: 'skipped', reason: reason as never }}
                hash="recipients"
                aria-label={`Who was skipped because ${reasonWords('skipped', reason, channel)}`}
              >
                Who
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
