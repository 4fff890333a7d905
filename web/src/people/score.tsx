import { useAsk } from '../call/use-call.ts';
import { day } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { Failed, Skeleton } from '../ui/blank.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';

const said = {
  open: ['opened', 'Opened'],
  click: ['clicked', 'Clicked'],
  reply: ['replied', 'Replied'],
} as const satisfies Record<string, readonly [IconName, string]>;

const worth = (points: number): string => points.toFixed(1);

/** What the engagement score is made of, as the service reckons it. */
export function Score({ id }: { readonly id: string }) {
  const asked = useAsk('explain_engagement', { person_id: id });
  const { now, zone } = useNow();
  if (asked.error !== null)
    return <Failed problem={asked.error} what="the score" retry={() => void asked.refetch()} />;
  if (asked.data === undefined) return <Skeleton rows={4} />;
  const { score, parts, earlier, together, worth_of_fifty, half_life_days, next } = asked.data;
  return (
    <section aria-label="Engagement score">
      <div className="row">
        <p className="h2">Engagement score</p>
        <span className="end row">
          <b className="fig">{score ?? '—'}</b>
          <span className="hint">of 100</span>
        </span>
      </div>
      {score === null ? (
        <p className="muted mt2">No message was opened, clicked or answered yet.</p>
      ) : (
        <>
          <table className="tbl tight small mt2">
            <thead>
              <tr>
                <th>What they did</th>
                <th className="num">Times</th>
                <th className="num only-wide">Worth then</th>
                <th className="num">Worth today</th>
              </tr>
            </thead>
            <tbody>
              {parts.map(({ action, times, last_at, worth_then, worth_now }) => (
                <tr key={action}>
                  <td>
                    <Icon name={said[action][0]} small /> {said[action][1]}, {times > 1 && 'last '}
                    {day(new Date(last_at), zone, now)}
                  </td>
                  <td className="num">{times}</td>
                  <td className="num only-wide">{worth(worth_then)}</td>
                  <td className="num">{worth(worth_now)}</td>
                </tr>
              ))}
              {earlier > 0 && (
                <tr>
                  <td className="muted">Messages no longer kept</td>
                  <td className="num">—</td>
                  <td className="num only-wide">—</td>
                  <td className="num">{worth(earlier)}</td>
                </tr>
              )}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">Together</th>
                <td />
                <td className="only-wide" />
                <td className="num">
                  <b>{worth(together)}</b>
                </td>
              </tr>
            </tfoot>
          </table>
          <p className="hint mt2">
            {worth_of_fifty} points make 50, and points halve every {half_life_days} days. If nothing more
            happens, the score is {next.score ?? 0} on {day(new Date(next.at), zone, now)}. Opens by mail
            scanners are left out.
          </p>
        </>
      )}
    </section>
  );
}
