import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useAsk, useOrg } from '../../call/use-call.ts';
import { cityOf, weekdayMoment } from '../../format/time.ts';
import { useNow } from '../../frame/clock.tsx';
import { useWhyNot } from '../../frame/me.ts';
import { nameOf } from '../../people/name.ts';
import { Failed, Skeleton } from '../../ui/blank.tsx';
import { Icon } from '../../ui/icon.tsx';
import { atTrigger, type Graph, type Workflow } from '../graph/graph.ts';
import { RunState } from './run-table.tsx';
import { RunSteps, type Run } from './run-steps.tsx';
import { drawWay } from './way-taken.ts';

const GraphView = lazy(async () => ({ default: (await import('../graph/graph-view.tsx')).GraphView }));

/** One person's way: on the graph of the version it began with, and as a list. */
export function RunPath({ workflow, id }: { readonly workflow: Workflow; readonly id: string }) {
  const asked = useAsk('get_workflow_run', { run_id: id }, { everyMs: 15_000 });
  const run = asked.data?.run;
  const drawn = useAsk(
    'get_workflow_version',
    { workflow_id: workflow.id, version: run?.version ?? 1 },
    { enabled: run !== undefined },
  );
  const failed = asked.error ?? drawn.error;
  if (failed !== null)
    return (
      <Failed problem={failed} what="this run" retry={() => void (asked.error ? asked : drawn).refetch()} />
    );
  if (run === undefined || drawn.data === undefined) return <Skeleton rows={8} />;
  const graph = drawn.data.graph as unknown as Graph;
  const stands = run.waiting?.node;
  const { tone, edgeTone } = drawWay(graph, run.path, stands === atTrigger ? undefined : stands);
  return (
    <div className="one-run">
      <Suspense fallback={<Skeleton rows={8} />}>
        <GraphView graph={graph} label={`The way through ${workflow.name}`} tone={tone} edgeTone={edgeTone} />
      </Suspense>
      <aside className="wr" aria-label="Run">
        <About workflow={workflow} run={run} />
        <RunSteps run={run} graph={graph} />
      </aside>
    </div>
  );
}

function About({ workflow, run }: { readonly workflow: Workflow; readonly run: Run }) {
  const org = useOrg();
  const { now, zone } = useNow();
  const mayRead = useWhyNot()('get_person') === undefined;
  const person = useAsk('get_person', { person_id: run.person_id }, { enabled: mayRead });
  const at = (text: string): string => weekdayMoment(new Date(text), zone, now);
  return (
    <section className="col g3">
      <Link
        className="link"
        to="/o/$org/workflows/$workflow"
        params={{ org, workflow: workflow.id }}
        search={{ view: 'runs' }}
      >
        <Icon name="left" small /> All runs
      </Link>
      <div className="row wrap">
        <h2 className="st2">
          <Link to="/o/$org/people/$person" params={{ org, person: run.person_id }}>
            {person.data === undefined ? (
              <span className="mono">{run.person_id}</span>
            ) : (
              nameOf(person.data.person)
            )}
          </Link>
        </h2>
        <span className="end">
          <RunState run={run} />
        </span>
      </div>
      <dl className="kv">
        <dt>Began</dt>
        <dd>{at(run.started_at)}</dd>
        {run.waiting !== null && (
          <>
            <dt>Waits until</dt>
            <dd>
              {at(run.waiting.until)}
              {run.waiting.held && <span className="hint"> held, the workflow is off</span>}
            </dd>
          </>
        )}
        {run.ended_at !== null && (
          <>
            <dt>Ended</dt>
            <dd>{at(run.ended_at)}</dd>
          </>
        )}
        <dt>Version</dt>
        <dd>
          {run.version}
          {run.version === workflow.live_version ? ', which is live' : ', not the live one'}
        </dd>
      </dl>
      <p className="row wrap">
        <span className="hint grow">times in {cityOf(zone)}</span>
        <Link
          className="link"
          to="/o/$org/workflows/$workflow"
          params={{ org, workflow: workflow.id }}
          search={{ view: 'runs', person: run.person_id }}
        >
          Runs of this person
        </Link>
        <Link
          className="link"
          to="/o/$org/workflows/$workflow"
          params={{ org, workflow: workflow.id }}
          search={{ view: 'travel', person: run.person_id }}
        >
          Travel on
        </Link>
      </p>
    </section>
  );
}
