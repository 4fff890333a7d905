import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct, useAsk, useOrg } from '../../call/use-call.ts';
import type { Output } from '../../call/types.ts';
import { count, people } from '../../format/number.ts';
import { cityOf, weekdayMoment } from '../../format/time.ts';
import { useNow } from '../../frame/clock.tsx';
import { useWhyNot } from '../../frame/me.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { Broadcast } from '../state-pill.tsx';
import { audienceOf, titleOf } from '../words.ts';
import { Countdown } from './countdown.tsx';
import { Stale } from './stale.tsx';
import { TwoKeys } from './two-keys.tsx';

interface SchedulePanelProps {
  readonly broadcast: Broadcast;
  readonly plan: Output<'plan_broadcast'>;
  readonly at: string | undefined;
  readonly again: () => void;
  readonly isPlanning: boolean;
}

/** Who, when, until when it is taken back, and the button. Scheduling sends nothing yet. */
export function SchedulePanel({ broadcast, plan, at, again, isPlanning }: SchedulePanelProps) {
  const { now, zone } = useNow();
  const settings = useAsk('get_settings', {});
  const needsTwo = settings.data?.settings.two_key_sending === true;
  const [typed, setTyped] = useState('');
  const [isOver, setOver] = useState(false);
  const [handed, setHanded] = useState('');
  const { reachable, kind } = plan.audience;
  const { schedule, problem, isPending } = useSchedule(broadcast);
  const whyNot = useWhyNot()('schedule_broadcast');
  const token = needsTwo ? handed.trim() : plan.plan_token;
  const starts =
    plan.delivery.send_at === null
      ? '—'
      : `${weekdayMoment(new Date(plan.delivery.send_at), zone, now)} ${cityOf(zone)}`;
  const unless =
    whyNot ??
    (!plan.ready
      ? 'Something blocks it: see the checks.'
      : needsTwo && handed.trim() === ''
        ? 'Somebody else must have planned it: paste their plan.'
        : kind === 'everyone' && typed.replaceAll(/[\s,.]/g, '') !== String(reachable)
          ? 'Type how many people would get it.'
          : undefined);
  return (
    <aside className="panel-card" aria-label="Schedule">
      <div className="card">
        <div className="body">
          <span className="pill draft">
            <Icon name="edit" />
            Planned, not scheduled
          </span>
          <h2 className="h2 mt3">{titleOf(broadcast)}</h2>
          <dl className="kv mt3">
            <dt>To</dt>
            <dd>
              {audienceOf(broadcast)}, {people(reachable)}
            </dd>
            <dt>From</dt>
            <dd>{plan.channel === 'sms' ? 'your number' : (plan.sender?.from ?? '—')}</dd>
            <dt>Starts</dt>
            <dd>{starts}</dd>
            <dt>Pull back by</dt>
            <dd>
              {starts}
              <p className="hint">later you can only stop the rest</p>
            </dd>
          </dl>
        </div>
        {plan.ready && (
          <Countdown plan={plan} again={again} isPlanning={isPlanning} onOver={() => setOver(true)} />
        )}
        <div className="body col g3">
          {problem?.code === 'plan_stale' ? (
            <Stale problem={problem} />
          ) : (
            problem !== null && (
              <p className="note bad" role="alert">
                <Icon name="bad" />
                <span>{problem.message}</span>
              </p>
            )
          )}
          {needsTwo && <TwoKeys plan={plan} handed={handed} onHanded={setHanded} />}
          {plan.ready && kind === 'everyone' && (
            <Field label={`Type ${reachable} to schedule for everyone`} hint="How many people would get it.">
              {(ids) => (
                <Input
                  {...ids}
                  size="l"
                  inputMode="numeric"
                  autoComplete="off"
                  value={typed}
                  onChange={(event) => setTyped(event.target.value)}
                />
              )}
            </Field>
          )}
          {isOver || problem?.code === 'plan_stale' || problem?.code === 'plan_expired' ? (
            <Button kind="primary" size="l" icon="again" busy={isPlanning && 'Planning'} onClick={again}>
              Plan again
            </Button>
          ) : (
            <Button
              kind="primary"
              size="l"
              unless={unless}
              busy={isPending && 'Scheduling'}
              onClick={() => token !== undefined && schedule(token)}
            >
              Schedule for {people(reachable)}
            </Button>
          )}
          {unless !== undefined && <p className="hint">{unless}</p>}
          <BackToDraft id={broadcast.id} at={at} />
        </div>
      </div>
      <p className="hint mt3">
        <Icon name="undo" small /> Scheduling sends nothing yet. You can pull it back to a draft at any time
        until it starts.
      </p>
      <p className="vh" role="status">
        {count(reachable)} people would get it
      </p>
    </aside>
  );
}

const BackToDraft = ({ id, at }: { readonly id: string; readonly at: string | undefined }) => (
  <Link
    className="btn ghost block"
    to="/o/$org/broadcasts/$broadcast"
    params={{ org: useOrg(), broadcast: id }}
    search={at === undefined ? {} : { at }}
  >
    Back to the draft
  </Link>
);

function useSchedule({ id }: Broadcast) {
  const org = useOrg();
  const navigate = useNavigate();
  const toast = useToast();
  const changed = ['get_broadcast', 'list_broadcasts'] as const;
  const back = useAct('unschedule_broadcast', changed);
  const act = useAct('schedule_broadcast', changed);
  const schedule = (plan_token: string): void =>
    act.mutate(
      { broadcast_id: id, plan_token },
      {
        onSuccess: () => {
          toast('Scheduled. It can be pulled back until it starts', () => back.mutate({ broadcast_id: id }));
          void navigate({ to: '/o/$org/broadcasts/$broadcast', params: { org, broadcast: id } });
        },
      },
    );
  return { schedule, problem: act.error, isPending: act.isPending };
}
