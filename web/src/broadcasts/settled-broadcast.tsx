import { useAsk } from '../call/use-call.ts';
import { cityOf, weekdayMoment } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { Icon } from '../ui/icon.tsx';
import { Actor } from './actor.tsx';
import { Held } from './held.tsx';
import { Preview } from './preview.tsx';
import { PullBack } from './pull-back.tsx';
import { ReportTabs } from './report/report-tabs.tsx';
import { StatePill, type Broadcast } from './state-pill.tsx';
import { audienceOf, titleOf } from './words.ts';

/** One that can no longer be edited as it stands: what it is, and how it is taken back. */
export function SettledBroadcast({ broadcast }: { readonly broadcast: Broadcast }) {
  const { now, zone } = useNow();
  const { status, timing } = broadcast;
  const canPullBack = status === 'scheduled' || (status === 'error' && timing.started_at === null);
  useAsk('get_broadcast', { broadcast_id: broadcast.id }, { everyMs: 10_000 }); // it begins, is held or ends meanwhile
  const at = (moment: string): string => `${weekdayMoment(new Date(moment), zone, now)} ${cityOf(zone)}`;
  return (
    <div className="split ed">
      <div className="doc">
        <div className="ehead">
          <div className="grow">
            <h1 className="ttl">{titleOf(broadcast)}</h1>
            <p className="mt1">
              <StatePill status={status} isHeld={broadcast.held !== null} />
            </p>
          </div>
          {canPullBack && (
            <div>
              <PullBack broadcast={broadcast} />
            </div>
          )}
        </div>
        {!canPullBack && <ReportTabs broadcast={broadcast} />}
        {broadcast.error !== null && (
          <p className="note bad">
            <Icon name="bad" />
            <span>{broadcast.error}</span>
          </p>
        )}
        <Held broadcast={broadcast} />
        {status === 'scheduled' && timing.webinar_moved && (
          <p className="note warn">
            <Icon name="warning" />
            <span>Its webinar moved after this was scheduled. It still goes out at the time below.</span>
          </p>
        )}
        <dl className="kv mt4">
          <dt>To</dt>
          <dd>{audienceOf(broadcast)}</dd>
          {broadcast.sender !== null && (
            <>
              <dt>From</dt>
              <dd>{broadcast.sender.from}</dd>
            </>
          )}
          {timing.send_at !== null && (
            <>
              <dt>
                {broadcast.held !== null
                  ? 'Should have begun'
                  : timing.started_at === null
                    ? 'Starts'
                    : 'Started'}
              </dt>
              <dd>
                {at(timing.send_at)}
                {timing.paced_over_hours ? `, spread over ${timing.paced_over_hours} hours` : ''}
              </dd>
            </>
          )}
          {status === 'scheduled' && broadcast.held === null && timing.send_at !== null && (
            <>
              <dt>Pull back by</dt>
              <dd>
                {at(timing.send_at)}
                <p className="hint">Later you can only stop the rest.</p>
              </dd>
            </>
          )}
          {status === 'scheduled' && broadcast.hold_if_audience_changes_by !== null && (
            <>
              <dt>Held</dt>
              <dd>if the audience changes by more than {broadcast.hold_if_audience_changes_by} %</dd>
            </>
          )}
          <dt>Planned by</dt>
          <dd>
            <Actor who={broadcast.planned_by} />
          </dd>
          <dt>Scheduled by</dt>
          <dd>
            <Actor who={broadcast.scheduled_by} />
          </dd>
        </dl>
        <div className="row g4 mt6 wrap">
          <CopyAsCall operation="get_broadcast" input={{ broadcast_id: broadcast.id }} />
        </div>
      </div>
      <aside className="rail" aria-label="How it looks">
        <Preview broadcast={broadcast} />
      </aside>
    </div>
  );
}
