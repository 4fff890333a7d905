import { Link } from '@tanstack/react-router';
import { useAsk, useOrg } from '../call/use-call.ts';
import type { Output } from '../call/types.ts';
import { count } from '../format/number.ts';
import { cityOf, moment } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { useWhyNot } from '../frame/me.ts';
import { Failed } from '../ui/blank.tsx';
import { Icon } from '../ui/icon.tsx';

type Run = Output<'list_person_runs'>['runs'][number];
const shown = 10;

/** A person's ways through workflows, the latest first. */
export function Runs({ id }: { readonly id: string }) {
  const org = useOrg();
  const whyNot = useWhyNot()('list_person_runs');
  const asked = useAsk(
    'list_person_runs',
    { person_id: id, limit: shown },
    { enabled: whyNot === undefined },
  );
  const { now, zone } = useNow();
  if (whyNot !== undefined)
    return (
      <section aria-label="Workflows">
        <p className="h2">Workflows</p>
        <p className="hint">
          <Icon name="lock" small /> {whyNot}
        </p>
      </section>
    );
  if (asked.error !== null)
    return <Failed problem={asked.error} what="workflow runs" retry={() => void asked.refetch()} />;
  if (asked.data === undefined || asked.data.total === 0) return null;
  const at = (text: string): string => moment(new Date(text), zone, now);
  const say = ({ waiting, state, outcome, started_at, ended_at }: Run): string =>
    waiting !== null
      ? waiting.held
        ? `held at ${waiting.node}, the workflow is paused`
        : `waiting at ${waiting.node} until ${at(waiting.until)}`
      : state === 'ended' && ended_at !== null
        ? `${(outcome ?? 'ended').replaceAll('_', ' ')} ${at(ended_at)}`
        : `began ${at(started_at)}`;
  return (
    <section aria-label="Workflows">
      <div className="row">
        <p className="h2">Workflows</p>
        <span className="hint">times in {cityOf(zone)}</span>
        {asked.data.total > shown && (
          <span className="hint end">
            the latest {shown} of {count(asked.data.total)}
          </span>
        )}
      </div>
      <ul className="list flat">
        {asked.data.runs.map((run) => (
          <li key={run.id}>
            <span className="grow col g1">
              <Link
                className="medium ellipsis"
                to="/o/$org/workflows/$workflow"
                params={{ org, workflow: run.workflow_id }}
                search={{ view: 'runs', run: run.id }}
              >
                {run.workflow_name}
              </Link>
              <span className="hint">{say(run)}</span>
            </span>
            <span className={run.state === 'running' ? 'pill sending' : 'pill plain'}>{run.state}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
