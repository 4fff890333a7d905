import { Link } from '@tanstack/react-router';
import type { Output } from '../../call/types.ts';
import { useOrg } from '../../call/use-call.ts';
import { cityOf, moment, weekdayMoment } from '../../format/time.ts';
import { useNow } from '../../frame/clock.tsx';
import { nameOf } from '../../people/name.ts';
import { Icon } from '../../ui/icon.tsx';
import { graphOf, type Workflow } from '../graph/graph.ts';
import { nodeName } from './node-name.ts';

type Run = Output<'list_workflow_people'>['runs'][number];

interface RunTableProps {
  readonly workflow: Workflow;
  readonly runs: readonly Run[];
  readonly isOld: boolean;
}

export function RunTable({ workflow, runs, isOld }: RunTableProps) {
  const org = useOrg();
  const { now, zone } = useNow();
  const graph = graphOf(workflow);
  const at = (text: string | null): string => (text === null ? '—' : moment(new Date(text), zone, now));
  return (
    <table className="tbl wfr" aria-busy={isOld}>
      <thead>
        <tr>
          <th className="first">Person</th>
          <th className="only-wide">Where</th>
          <th className="only-wide">Since</th>
          <th className="only-wide">Until, {cityOf(zone)} time</th>
          <th className="last">State</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.id}>
            <td className="first what">
              <Link
                to="/o/$org/workflows/$workflow"
                params={{ org, workflow: workflow.id }}
                search={{ view: 'runs', run: run.id }}
                className="col g0"
              >
                <span className="medium ellipsis">
                  {run.person === null ? <span className="mono">{run.person_id}</span> : nameOf(run.person)}
                </span>
                <span className="hint ellipsis">{run.webinar_title ?? `began ${at(run.started_at)}`}</span>
              </Link>
            </td>
            <td className="only-wide what">
              <span className="ellipsis block">
                {run.waiting === null ? '—' : nodeName(graph, run.waiting.node)}
              </span>
            </td>
            <td className="only-wide muted">{at(run.since)}</td>
            <td className="only-wide">
              {run.waiting === null ? '—' : weekdayMoment(new Date(run.waiting.until), zone, now)}
            </td>
            <td className="last">
              <RunState run={run} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function RunState({
  run: { state, outcome, waiting },
}: {
  readonly run: Pick<Run, 'state' | 'outcome' | 'waiting'>;
}) {
  if (waiting?.held === true)
    return (
      <span className="pill paused">
        <Icon name="pause" />
        held
      </span>
    );
  if (state === 'running')
    return (
      <span className="pill sending">
        <Icon name="clock" />
        under way
      </span>
    );
  return (
    <span className="pill">
      <Icon name="stop" />
      {(outcome ?? 'ended').replaceAll('_', ' ')}
    </span>
  );
}
