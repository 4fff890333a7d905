import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useAct, useAsk, useOrg } from '../../call/use-call.ts';
import { cityOf, clockTime, weekdayMoment } from '../../format/time.ts';
import { useNow } from '../../frame/clock.tsx';
import { Page } from '../../frame/frame.tsx';
import { Blank, Failed, Skeleton } from '../../ui/blank.tsx';
import { CopyAsCall } from '../../ui/copy-as-call.tsx';
import { Checks } from '../checks.tsx';
import type { Broadcast } from '../state-pill.tsx';
import { titleOf } from '../words.ts';
import { Coverage } from './coverage.tsx';
import { Recipients } from './recipients.tsx';
import { SchedulePanel } from './schedule-panel.tsx';
import { Zones } from './zones.tsx';
import '../broadcasts.css';
import '../broadcast.css';
import './plan.css';

export function PlanPage() {
  const { broadcast: id } = useParams({ from: '/o/$org/broadcasts/$broadcast/plan' });
  const org = useOrg();
  const asked = useAsk('get_broadcast', { broadcast_id: id });
  const broadcast = asked.data?.broadcast;
  return (
    <Page
      crumbs={[
        ['Broadcasts', `/o/${org}/broadcasts`],
        [broadcast === undefined ? 'Broadcast' : titleOf(broadcast), `/o/${org}/broadcasts/${id}`],
      ]}
      title="Plan"
    >
      {asked.error !== null ? (
        <Failed problem={asked.error} what="this broadcast" heading="h1" retry={() => void asked.refetch()} />
      ) : broadcast === undefined ? (
        <Skeleton rows={10} heading="Plan and schedule" />
      ) : broadcast.status !== 'draft' ? (
        <Blank
          heading="h1"
          icon="clock"
          title={`It is ${broadcast.status}`}
          action={
            <Link
              className="btn secondary"
              to="/o/$org/broadcasts/$broadcast"
              params={{ org, broadcast: id }}
            >
              See it
            </Link>
          }
        >
          Only a draft is planned. One that is scheduled can be pulled back until it begins.
        </Blank>
      ) : (
        <Planned broadcast={broadcast} />
      )}
    </Page>
  );
}

/** A plan is made when the page opens and when it is asked for again, never unasked: its token is of one moment. */
function Planned({ broadcast }: { readonly broadcast: Broadcast }) {
  const { at } = useSearch({ from: '/o/$org/broadcasts/$broadcast/plan' });
  const { now, zone } = useNow();
  const input = { broadcast_id: broadcast.id, ...(at !== undefined && { send_at: at }) };
  const planning = useAct('plan_broadcast', []);
  const { mutate } = planning;
  const again = (): void => mutate(input);
  useEffect(
    () => mutate({ broadcast_id: broadcast.id, ...(at !== undefined && { send_at: at }) }),
    [mutate, broadcast.id, broadcast.revision, at],
  );
  const plan = planning.data;
  if (planning.error !== null)
    return <Failed problem={planning.error} what="the plan" heading="h1" retry={again} />;
  if (plan === undefined) return <Skeleton rows={10} />;
  const { send_at } = plan.delivery;
  const blocking = plan.checks.filter(({ level }) => level === 'error').length;
  return (
    <div className="page mid">
      <div className="head">
        <div>
          <h1>Plan and schedule</h1>
          <p className="sub">
            {send_at === null
              ? 'It has no time yet.'
              : `Read it through once. Nothing is sent before ${weekdayMoment(new Date(send_at), zone, now)} ${cityOf(zone)}.`}
          </p>
        </div>
      </div>
      <div className="plan">
        <div className="col g4 sheets">
          <section className="card" aria-label="Checks">
            <header>
              <h2>Checks</h2>
              <span className="hint">
                {blocking === 0 ? 'nothing blocks' : `${blocking} ${blocking === 1 ? 'blocks' : 'block'}`}
              </span>
              <span className="row g4 end only-wide">
                <CopyAsCall operation="plan_broadcast" input={input} />
              </span>
            </header>
            <div className="lined">
              <Checks id={broadcast.id} at={at} checks={plan.checks} />
            </div>
          </section>
          <section className="card" aria-label="Who gets it">
            <header>
              <h2>Who gets it</h2>
              <span className="hint">
                counted {clockTime(new Date(plan.now), zone)} {cityOf(zone)}; counted again when it is sent
              </span>
            </header>
            <Recipients plan={plan} />
          </section>
          {plan.variables.length > 0 && <Coverage plan={plan} />}
          {send_at !== null && (
            <Zones
              broadcast={broadcast.id}
              at={at}
              begins={new Date(send_at)}
              hours={plan.delivery.paced_over_hours}
              zone={zone}
            />
          )}
        </div>
        <SchedulePanel
          key={plan.expires_at}
          broadcast={broadcast}
          plan={plan}
          at={at}
          again={again}
          isPlanning={planning.isPending}
        />
      </div>
    </div>
  );
}
