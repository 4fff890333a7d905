import { Link } from '@tanstack/react-router';
import { titleOf } from '../broadcasts/words.ts';
import { useAsk, useOrg } from '../call/use-call.ts';
import { count } from '../format/number.ts';
import { moment } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { Skeleton } from '../ui/blank.tsx';

export function LastSent() {
  const org = useOrg();
  const { now, zone } = useNow();
  const asked = useAsk('list_broadcasts', { status: 'sent', limit: 5 });
  return (
    <section className="card">
      <header>
        <h2>Last sent</h2>
        <Link className="link end" to="/o/$org/broadcasts" params={{ org }}>
          All broadcasts
        </Link>
      </header>
      {asked.error !== null ? (
        <p className="body err">{asked.error.message}</p>
      ) : asked.data === undefined ? (
        <Skeleton rows={3} />
      ) : asked.data.total === 0 ? (
        <p className="body muted">Nothing was sent yet.</p>
      ) : (
        <table className="tbl tight">
          <thead>
            <tr>
              <th className="first">Broadcast</th>
              <th className="num">Sent</th>
              <th className="num only-wide">Left out</th>
              <th className="num last only-wide">Ended</th>
            </tr>
          </thead>
          <tbody>
            {asked.data.broadcasts.map((broadcast) => (
              <tr key={broadcast.id}>
                <td className="first lst">
                  <Link
                    className="medium ellipsis"
                    to="/o/$org/broadcasts/$broadcast/report"
                    params={{ org, broadcast: broadcast.id }}
                  >
                    {titleOf(broadcast)}
                  </Link>
                </td>
                <td className="num">{count(broadcast.counts.sent)}</td>
                <td className="num muted only-wide">
                  {count(broadcast.counts.skipped + broadcast.counts.failed)}
                </td>
                <td className="num muted last only-wide">
                  {broadcast.timing.finished_at === null
                    ? '—'
                    : moment(new Date(broadcast.timing.finished_at), zone, now)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
