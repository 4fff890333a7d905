import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useAsk } from '../call/use-call.ts';
import { useNow } from '../frame/clock.tsx';
import { Failed, Skeleton } from '../ui/blank.tsx';
import { Icon } from '../ui/icon.tsx';
import { graphOf, type Graph, type Workflow } from './graph/graph.ts';
import { drawWay } from './runs/way-taken.ts';
import { somebodyNew, useChoices, type Traveller } from './travel/cast.tsx';
import { Here } from './travel/here.tsx';
import { TravelPanel } from './travel/travel-panel.tsx';
import { partedAt, standingAt } from './travel/standing.ts';
import { useSuppositions, type Version } from './travel/suppositions.tsx';
import { useTold, type Travelled } from './travel/use-told.ts';
import './travel/travel.css';

const GraphView = lazy(async () => ({ default: (await import('./graph/graph-view.tsx')).GraphView }));

/** Where people would stand at a moment, and what they would have by then: all of it a dry run of the service. */
export function TravelView({ workflow }: { readonly workflow: Workflow }) {
  const [version, setVersion] = useState<Version>(
    workflow.problems.length > 0 && workflow.live_version !== null ? 'live' : 'draft',
  );
  const live = useAsk(
    'get_workflow_version',
    { workflow_id: workflow.id, version: workflow.live_version ?? 1 },
    { enabled: version === 'live' && workflow.live_version !== null },
  );
  if (version === 'live' && live.error !== null)
    return <Failed problem={live.error} what="the live version" retry={() => void live.refetch()} />;
  const graph = version === 'draft' ? graphOf(workflow) : (live.data?.graph as unknown as Graph | undefined);
  if (graph === undefined) return <Skeleton rows={8} />;
  return <Journey workflow={workflow} graph={graph} version={version} onVersion={setVersion} />;
}

interface JourneyProps {
  readonly workflow: Workflow;
  readonly graph: Graph;
  readonly version: Version;
  readonly onVersion: (version: Version) => void;
}

function Journey({ workflow, graph, version, onVersion }: JourneyProps) {
  const { person } = useSearch({ from: '/o/$org/workflows/$workflow' });
  const { now } = useNow();
  const [opened] = useState(() => new Date(Math.floor(now.getTime() / 60_000) * 60_000).toISOString());
  const suppositions = useSuppositions(graph);
  const { choices, isKnown } = useChoices(suppositions.webinar?.id, person);
  const [chosen, setChosen] = useState<readonly Traveller[]>();
  const [led, setLed] = useState<string>();
  const [at, setAt] = useState<number>();
  const cast = chosen ?? [choices.find(({ id }) => id === person) ?? choices[0] ?? somebodyNew];
  const isWhole = version === 'live' || workflow.problems.length === 0;
  const asked = useTold(
    cast,
    { workflow_id: workflow.id, version, ...suppositions.input },
    opened,
    isWhole && suppositions.isReady && isKnown, // or somebody else would be asked for first
  );
  const leader = asked.travelled.find(({ traveller }) => traveller.id === led) ?? asked.travelled[0];
  const moment = at ?? (leader === undefined ? now.getTime() : nowWithin(Date.parse(opened), leader));
  const stands = leader && standingAt(leader.told, leader.startAt, moment);
  const { done, ahead } =
    leader === undefined || stands?.is === 'before'
      ? { done: [], ahead: leader?.told.steps ?? [] }
      : partedAt(leader.told, moment);
  const { tone, edgeTone } = drawWay(graph, done, stands?.is === 'waiting' ? stands.node : undefined, ahead);
  return (
    <div className="travel">
      <div className="stage">
        <Suspense fallback={<Skeleton rows={8} />}>
          <GraphView
            key={version}
            graph={graph}
            label={`Where they would stand in ${workflow.name}`}
            tone={tone}
            edgeTone={edgeTone}
            badge={(id) => <Here node={id} at={moment} travelled={asked.travelled} />}
          />
        </Suspense>
        <Legend />
      </div>
      {!isWhole ? (
        <Incomplete workflow={workflow} />
      ) : (
        <TravelPanel
          {...{ workflow, graph, version, onVersion, suppositions, cast, choices, asked, leader, moment }}
          onCast={setChosen}
          onLead={setLed}
          onMove={setAt}
        />
      )}
    </div>
  );
}

const Legend = () => (
  <ul className="legend hint">
    <li>
      <i className="gone" />
      has been
    </li>
    <li>
      <i className="next" />
      would go next
    </li>
    <li>
      <i />
      not taken
    </li>
  </ul>
);

/** Now, as far as something happens then. */
const nowWithin = (now: number, { startAt, told: { steps } }: Travelled): number =>
  Math.max(startAt, Math.min(now, Date.parse(steps.at(-1)?.at ?? new Date(startAt).toISOString())));

const Incomplete = ({ workflow: { problems, live_version } }: { readonly workflow: Workflow }) => (
  <div className="tt">
    <div className="note warn">
      <Icon name="warning" />
      <div>
        <b>The draft cannot be tried yet</b>
        <p>{problems[0]?.message}</p>
        {problems.length > 1 && <p>And {problems.length - 1} more.</p>}
        {live_version !== null && <p>The live version can.</p>}
      </div>
    </div>
  </div>
);
