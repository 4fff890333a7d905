import { Link } from '@tanstack/react-router';
import { useOrg } from '../call/use-call.ts';
import { count } from '../format/number.ts';
import { cityOf, clockTime, moment, weekdayMoment } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { Icon } from '../ui/icon.tsx';
import { StatePill, type Listed } from './state-pill.tsx';
import { audienceOf, titleOf } from './words.ts';

interface BroadcastTableProps {
  readonly broadcasts: readonly Listed[];
  readonly isOld: boolean;
}

export function BroadcastTable({ broadcasts, isOld }: BroadcastTableProps) {
  const org = useOrg();
  const { now, zone } = useNow();
  return (
    <table className="tbl bct" aria-busy={isOld}>
      <thead>
        <tr>
          <th className="first state">State</th>
          <th>Broadcast</th>
          <th className="num only-wide">People</th>
          <th className="only-wide">When, {cityOf(zone)} time</th>
          <th className="last only-wide">How it stands</th>
        </tr>
      </thead>
      <tbody>
        {broadcasts.map((broadcast) => (
          <tr key={broadcast.id}>
            <td className="first">
              <StatePill status={broadcast.status} isHeld={broadcast.held !== null} />
            </td>
            <td className="what">
              <Link
                to={
                  hasBegun(broadcast)
                    ? '/o/$org/broadcasts/$broadcast/report'
                    : '/o/$org/broadcasts/$broadcast'
                }
                params={{ org, broadcast: broadcast.id }}
                className="col g0"
              >
                <span className="medium ellipsis">
                  {titleOf(broadcast)}
                  {broadcast.channel === 'sms' && (
                    <>
                      {' '}
                      <Icon name="text" small />
                      <span className="vh">text</span>
                    </>
                  )}
                </span>
                <span className="hint ellipsis">{audienceOf(broadcast)}</span>
              </Link>
            </td>
            <td className="num only-wide">
              {broadcast.timing.started_at === null ? '—' : count(broadcast.counts.recipients)}
            </td>
            <td className="only-wide muted">{whenOf(broadcast, zone, now)}</td>
            <td className="last only-wide">
              <Standing broadcast={broadcast} zone={zone} now={now} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const hasBegun = ({ status, timing }: Listed): boolean =>
  timing.started_at !== null || status === 'sending' || status === 'sent';

function whenOf({ status, timing, updated_at }: Listed, zone: string, now: Date): string {
  const { send_at, started_at, finished_at } = timing;
  if (status === 'draft') return `Edited ${moment(new Date(updated_at), zone, now)}`;
  if (status === 'sending' && started_at !== null) return `since ${moment(new Date(started_at), zone, now)}`;
  const from = started_at ?? send_at;
  if (from === null) return '—';
  const begins = weekdayMoment(new Date(from), zone, now);
  if (finished_at === null) return begins;
  return status === 'stopped'
    ? `${begins}, stopped ${clockTime(new Date(finished_at), zone)}`
    : `${begins} – ${clockTime(new Date(finished_at), zone)}`;
}

interface StandingProps {
  readonly broadcast: Listed;
  readonly zone: string;
  readonly now: Date;
}

function Standing({ broadcast: { status, timing, counts, held, error }, zone, now }: StandingProps) {
  const { recipients, sent, skipped, failed } = counts;
  if (held !== null)
    return (
      <span className="hint">
        {count(held.planned)} planned, {count(held.counted)} there: release it or pull it back
      </span>
    );
  if (status === 'scheduled' && timing.send_at !== null)
    return (
      <span className="hint">
        pull back by {weekdayMoment(new Date(timing.send_at), zone, now)}
        {timing.webinar_moved && ', its webinar moved'}
      </span>
    );
  if (status === 'error') return <span className="err ellipsis">{error ?? 'It could not be sent.'}</span>;
  if (status === 'sending')
    return (
      <span className="row">
        <span className="bar xs" aria-hidden="true">
          {Object.entries({ sent, skipped, failed, pending: recipients - sent - skipped - failed })
            .filter(([, some]) => some > 0)
            .map(([outcome, some]) => (
              <i key={outcome} className={`b-${outcome}`} style={{ flexGrow: some }} />
            ))}
        </span>
        <span className="hint">{count(sent)} sent</span>
      </span>
    );
  if (timing.started_at === null) return null;
  return (
    <span className="muted">
      {count(sent)} sent
      {skipped > 0 && `, ${count(skipped)} skipped`}
      {failed > 0 && `, ${count(failed)} failed`}
    </span>
  );
}
