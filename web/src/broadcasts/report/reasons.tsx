import { Link } from '@tanstack/react-router';
import { useOrg } from '../../call/use-call.ts';
import { count } from '../../format/number.ts';
import type { Listed } from '../state-pill.tsx';
import { capital, reasonWords } from '../words.ts';
import type { Stats } from './outcomes.tsx';

interface ReasonsProps {
  readonly stats: Stats;
  readonly channel: Listed['channel'];
}

/** Why some were not written to, each with who they are. */
export function Skipped({ stats, channel }: ReasonsProps) {
  const { skipped } = stats.outcomes;
  return (
    <section className="card" aria-label="Why some were skipped">
      <header>
        <h2>{skipped === 0 ? 'Nobody was skipped' : `Why ${count(skipped)} were skipped`}</h2>
      </header>
      <Reasons stats={stats} channel={channel} outcomes={['skipped']} />
    </section>
  );
}

/** Why it did not reach some, or nobody knows whether it did. */
export function Unreached({ stats, channel }: ReasonsProps) {
  const { failed, uncertain } = stats.outcomes;
  if (failed + uncertain === 0) return null;
  const words = [
    failed > 0 && 'failed',
    uncertain > 0 && (uncertain === 1 && failed === 0 ? 'is uncertain' : 'are uncertain'),
  ];
  return (
    <section className="card" aria-label="Why some failed or are uncertain">
      <header>
        <h2>
          Why {count(failed + uncertain)} {words.filter(Boolean).join(' or ')}
        </h2>
      </header>
      <Reasons stats={stats} channel={channel} outcomes={['failed', 'uncertain']} />
    </section>
  );
}

type Explained = 'skipped' | 'failed' | 'uncertain';
const whoWords: Readonly<Record<Explained, string>> = {
  skipped: 'Who was skipped',
  failed: 'Who failed',
  uncertain: 'Who is uncertain',
};

/** Each reason with its share of the largest and the way to who they are. */
function Reasons({ stats, channel, outcomes }: ReasonsProps & { readonly outcomes: readonly Explained[] }) {
  const org = useOrg();
  const all = outcomes.flatMap((outcome) => stats[outcome].map((one) => ({ ...one, outcome })));
  const most = Math.max(1, ...all.map((one) => one.count));
  if (all.length === 0) return null;
  return (
    <ul className="list">
      {all.map(({ outcome, reason, count: some }) => (
        <li key={`${outcome} ${reason}`}>
          {outcomes.length > 1 && <span className={`swatch s-${outcome}`} aria-hidden="true" />}
          <span className="grow">{capital(reasonWords(outcome, reason, channel))}</span>
          {outcomes.length === 1 && (
            <span className="meter slate only-wide" aria-hidden="true">
              <i style={{ width: `${(100 * some) / most}%` }} />
            </span>
          )}
          <span className="num">{count(some)}</span>
          <Link
            className="link"
            to="/o/$org/broadcasts/$broadcast/report"
            params={{ org, broadcast: stats.broadcast_id }}
            search={{ outcome, reason: reason as never }}
            hash="recipients"
            aria-label={`${whoWords[outcome]} because ${reasonWords(outcome, reason, channel)}`}
          >
            Who
          </Link>
        </li>
      ))}
    </ul>
  );
}
