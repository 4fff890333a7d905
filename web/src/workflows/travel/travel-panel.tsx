import { Segmented } from '../../broadcasts/segmented.tsx';
import { cityOf, weekdayMoment } from '../../format/time.ts';
import { useNow } from '../../frame/clock.tsx';
import { Skeleton } from '../../ui/blank.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyAsCall } from '../../ui/copy-as-call.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { Graph, Workflow } from '../graph/graph.ts';
import { Cast, type Traveller } from './cast.tsx';
import { Letters } from './letters.tsx';
import { marksOf } from './marks.ts';
import { movedBy, spanOf } from './rule.ts';
import { lettersOf, standingAt } from './standing.ts';
import { SuppositionBar, type Suppositions, type Version } from './suppositions.tsx';
import { TimeRule } from './time-rule.tsx';
import type { Travelled, useTold } from './use-told.ts';
import { saidStanding } from './words.ts';

interface TravelPanelProps {
  readonly workflow: Workflow;
  readonly graph: Graph;
  readonly version: Version;
  readonly onVersion: (version: Version) => void;
  readonly suppositions: Suppositions;
  readonly cast: readonly Traveller[];
  readonly choices: readonly Traveller[];
  readonly asked: ReturnType<typeof useTold>;
  readonly leader: Travelled | undefined;
  readonly moment: number;
  readonly onCast: (cast: readonly Traveller[]) => void;
  readonly onLead: (id: string) => void;
  readonly onMove: (at: number) => void;
}

const versions = [
  ['draft', 'Draft'],
  ['live', 'Live'],
] as const;

export function TravelPanel(props: TravelPanelProps) {
  const { workflow, version, onVersion, suppositions, cast, choices, asked, leader, onCast, onLead } = props;
  return (
    <section className="tt" aria-label="Time travel" aria-busy={asked.isOld}>
      <div className="row wrap">
        <b className="strong">Time travel</b>
        <Segmented
          label="Version"
          choices={versions}
          value={version}
          onChange={onVersion}
          unless={(one) => one === 'live' && workflow.live_version === null && 'Nothing is live yet.'}
        />
        <Cast {...{ cast, choices }} led={leader?.traveller.id ?? ''} onLead={onLead} onChange={onCast} />
        <SuppositionBar suppositions={suppositions} />
      </div>
      {asked.problem !== null ? (
        <p className="err mt3" role="alert">
          <Icon name="bad" small />
          {asked.problem.message}
        </p>
      ) : leader === undefined ? (
        <Skeleton rows={3} />
      ) : (
        <Travel {...props} leader={leader} />
      )}
    </section>
  );
}

function Travel({
  workflow,
  graph,
  version,
  suppositions,
  asked,
  leader,
  moment,
  onMove,
}: TravelPanelProps & { readonly leader: Travelled }) {
  const { now, zone } = useNow();
  const marks = marksOf(graph, leader, suppositions.start);
  const span = spanOf([moment, ...marks.map(({ at }) => at)]);
  const shown = `${weekdayMoment(new Date(moment), zone, now)} ${cityOf(zone)}`;
  const say = ({ traveller, told, startAt }: Travelled): string =>
    saidStanding(graph, traveller.name, standingAt(told, startAt, moment), lettersOf(told), moment);
  const step = (key: string): void => {
    const to = movedBy(
      span,
      marks.map(({ at }) => at),
      moment,
      { key, shiftKey: false },
    );
    if (to !== undefined) onMove(to);
  };
  return (
    <>
      <div className="row">
        <TimeRule {...{ span, marks, shown }} at={moment} said={`${shown}: ${say(leader)}`} onMove={onMove} />
        <span className="row g1 steps">
          <Button
            kind="ghost"
            size="s"
            icon="left"
            aria-label="Previous step"
            onClick={() => step('ArrowLeft')}
          />
          <Button
            kind="ghost"
            size="s"
            icon="right"
            aria-label="Next step"
            onClick={() => step('ArrowRight')}
          />
        </span>
      </div>
      <div className="say" aria-live="polite">
        {asked.travelled.map((one) => (
          <p key={one.traveller.id}>
            {one === leader && <b>At {shown}: </b>}
            {say(one)}
          </p>
        ))}
      </div>
      <Letters letters={lettersOf(leader.told)} at={moment} />
      <p className="hint row wrap">
        A dry run with people as they are now; nothing is sent.
        <CopyAsCall
          operation="simulate_workflow"
          input={{ workflow_id: workflow.id, version, ...suppositions.input }}
        />
      </p>
    </>
  );
}
