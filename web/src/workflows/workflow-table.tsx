import { Link } from '@tanstack/react-router';
import { useOrg } from '../call/use-call.ts';
import { count } from '../format/number.ts';
import { cityOf, moment } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { Icon } from '../ui/icon.tsx';
import { WorkflowState, type Surveyed } from './workflow-state.tsx';

interface WorkflowTableProps {
  readonly workflows: readonly Surveyed[];
  readonly isOld: boolean;
}

export function WorkflowTable({ workflows, isOld }: WorkflowTableProps) {
  const org = useOrg();
  const { now, zone } = useNow();
  return (
    <table className="tbl wfl" aria-busy={isOld}>
      <thead>
        <tr>
          <th className="first">State</th>
          <th>Workflow</th>
          <th className="num only-wide">Under way</th>
          <th className="num only-wide">Ended</th>
          <th className="only-wide">Published, {cityOf(zone)} time</th>
          <th className="last only-wide">What is missing</th>
        </tr>
      </thead>
      <tbody>
        {workflows.map((workflow) => (
          <tr key={workflow.id}>
            <td className="first">
              <WorkflowState {...workflow} />
            </td>
            <td className="what">
              <Link
                to="/o/$org/workflows/$workflow"
                params={{ org, workflow: workflow.id }}
                className="col g0"
              >
                <span className="medium ellipsis">{workflow.name}</span>
                <span className="hint ellipsis">{triggerOf(workflow)}</span>
              </Link>
            </td>
            <td className="num only-wide">{count(workflow.counts.running)}</td>
            <td className="num only-wide">{count(workflow.counts.ended)}</td>
            <td className="only-wide muted">
              {workflow.published_at === null ? '—' : moment(new Date(workflow.published_at), zone, now)}
            </td>
            <td className="last only-wide">
              <Missing {...workflow} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Of a draft that nobody changes any more it says nothing: what is live has no problems. */
function Missing({ problems, has_unpublished_changes }: Surveyed) {
  if (!has_unpublished_changes) return null;
  if (problems === 0) return <span className="hint">ready to publish</span>;
  return (
    <span className="err">
      <Icon name="bad" small />
      {problems === 1 ? '1 problem' : `${count(problems)} problems`}
    </span>
  );
}

function triggerOf({ trigger }: Surveyed): string {
  if (trigger.type === 'event') return `Event: ${trigger.event_name ?? '—'}`;
  return trigger.webinar_id === null
    ? 'Registered for any webinar'
    : `Registered for: ${trigger.webinar_title ?? 'a webinar that is gone'}`;
}
