import { useParams } from '@tanstack/react-router';
import { useAsk, useOrg } from '../../call/use-call.ts';
import { cityOf, clockTime, weekdayMoment } from '../../format/time.ts';
import { useNow } from '../../frame/clock.tsx';
import { Page } from '../../frame/frame.tsx';
import { Blank, Failed, Skeleton } from '../../ui/blank.tsx';
import { CopyAsCall } from '../../ui/copy-as-call.tsx';
import { StatePill, type Broadcast } from '../state-pill.tsx';
import { audienceOf, titleOf } from '../words.ts';
import { ByLink } from './by-link.tsx';
import { Outcomes } from './outcomes.tsx';
import { PerDay } from './per-day.tsx';
import { RecipientList } from './recipient-list.tsx';
import { Skipped, Unreached } from './reasons.tsx';
import { ReportTabs } from './report-tabs.tsx';
import { Responses } from './responses.tsx';
import { Stop } from './stop.tsx';
import { Uncertain } from './uncertain.tsx';
import '../broadcasts.css';
import './report.css';

const liveMs = 2_000;
const afterwardsMs = 5_000; // receipts, opens and clicks go on coming

export function ReportPage() {
  const { broadcast: id } = useParams({ from: '/o/$org/broadcasts/$broadcast/report' });
  const org = useOrg();
  const asked = useAsk('get_broadcast', { broadcast_id: id }, { everyMs: 10_000 });
  const broadcast = asked.data?.broadcast;
  return (
    <Page
      crumbs={[['Broadcasts', `/o/${org}/broadcasts`]]}
      title={broadcast === undefined ? 'Report' : titleOf(broadcast)}
    >
      {asked.error !== null && broadcast === undefined ? (
        <Failed problem={asked.error} what="this broadcast" heading="h1" retry={() => void asked.refetch()} />
      ) : broadcast === undefined ? (
        <Skeleton rows={10} heading="Report" />
      ) : broadcast.timing.started_at === null && broadcast.status !== 'sending' ? (
        <Blank heading="h1" icon="clock" title="It was not sent yet">
          Here stands where everyone ended up, from the moment it begins.
        </Blank>
      ) : (
        <Report broadcast={broadcast} />
      )}
    </Page>
  );
}

function Report({ broadcast }: { readonly broadcast: Broadcast }) {
  const { now, zone } = useNow();
  const { id, timing } = broadcast;
  const isLive = broadcast.status === 'sending';
  const asked = useAsk(
    'get_broadcast_stats',
    { broadcast_id: id },
    { everyMs: isLive ? liveMs : afterwardsMs },
  );
  const stats = asked.data;
  return (
    <div className="page mid report">
      <div className="head">
        <div>
          <h1>{titleOf(broadcast)}</h1>
          <p className="row wrap mt2">
            <StatePill status={stats?.status ?? broadcast.status} />
            <span className="muted">
              {timing.started_at !== null && weekdayMoment(new Date(timing.started_at), zone, now)}
              {timing.finished_at !== null && ` – ${clockTime(new Date(timing.finished_at), zone)}`}{' '}
              {cityOf(zone)}
            </span>
            <span className="hint">
              to {audienceOf(broadcast)}
              {broadcast.sender !== null && `, from ${broadcast.sender.from}`}
            </span>
          </p>
        </div>
        <div className="acts">
          {stats?.status === 'sending' && <Stop broadcast={broadcast} stats={stats} />}
        </div>
      </div>
      <ReportTabs broadcast={broadcast} />
      {broadcast.error !== null && <p className="note bad">{broadcast.error}</p>}
      {asked.error !== null && stats === undefined ? (
        <Failed problem={asked.error} what="the figures" retry={() => void asked.refetch()} />
      ) : stats === undefined ? (
        <Skeleton rows={8} />
      ) : (
        <div className="col g4">
          <Outcomes stats={stats} />
          <Uncertain broadcast={broadcast} stats={stats} />
          <Responses stats={stats} />
          <div className="halves">
            <Skipped stats={stats} channel={broadcast.channel} />
            <Unreached stats={stats} channel={broadcast.channel} />
            {stats.links.length > 0 && <ByLink stats={stats} />}
          </div>
          <PerDay stats={stats} zone={zone} now={now} />
          <RecipientList broadcast={broadcast} />
          <div className="row g4 wrap">
            <CopyAsCall operation="get_broadcast_stats" input={{ broadcast_id: id }} />
            <span className="hint end">
              as of {clockTime(new Date(stats.as_of), zone)} {cityOf(zone)}
            </span>
          </div>
        </div>
      )}
    </div>
  );
}
