import workflows from 'virtual:workflows';
import type { Output } from '../../call/types.ts';
import { useAsk } from '../../call/use-call.ts';
import { moment } from '../../format/time.ts';
import { useNow } from '../../frame/clock.tsx';
import { Failed } from '../../ui/blank.tsx';
import { Icon } from '../../ui/icon.tsx';
import { atTrigger, type Graph } from '../graph/graph.ts';
import { kindOf, partAt } from '../graph/ways.ts';
import { iconOf, titleOf } from '../graph/words.ts';

export type Run = Output<'get_workflow_run'>['run'];
type Message = Output<'list_run_messages'>['messages'][number];

interface RunStepsProps {
  readonly run: Run;
  readonly graph: Graph;
}

/** What the run did, in order, with what became of each message, and where it stands. */
export function RunSteps({ run, graph }: RunStepsProps) {
  const asked = useAsk('list_run_messages', { run_id: run.id }, { everyMs: 15_000 });
  const { now, zone } = useNow();
  const at = (text: string): string => moment(new Date(text), zone, now);
  // A node that a run passed more than once has as many messages, in the same order.
  const sent = Map.groupBy(asked.data?.messages ?? [], ({ node }) => node);
  const passed = new Map<string, number>();
  return (
    <section className="col g3" aria-label="The way">
      <h2 className="h2">The way</h2>
      {asked.error !== null && (
        <Failed problem={asked.error} what="messages" retry={() => void asked.refetch()} />
      )}
      <ol className="way-list">
        <Item icon="flash" at={at(run.started_at)} title="Entered" />
        {run.path.map((step, place) => {
          const turn = passed.get(step.node) ?? 0;
          passed.set(step.node, turn + 1);
          const part = partAt(graph, step.node);
          return (
            <Item
              // A run may come by a node more than once.
              // oxlint-disable-next-line react/no-array-index-key
              key={place}
              icon={part === undefined ? 'stop' : iconOf(part)}
              at={at(step.at)}
              title={part === undefined ? step.node : sayPart(part)}
              did={step.did === 'added' ? undefined : deedOf(part?.type, step.did)}
              message={step.did === 'added' ? sent.get(step.node)?.[turn] : undefined}
            />
          );
        })}
        {run.waiting !== null && run.waiting.node !== atTrigger && (
          <Item
            icon="clock"
            isHere
            at={`until ${at(run.waiting.until)}`}
            title={sayPart(partAt(graph, run.waiting.node)) ?? run.waiting.node}
            did={run.waiting.held ? 'Held: the workflow is off.' : 'Stands here.'}
          />
        )}
      </ol>
    </section>
  );
}

const sayPart = (part: ReturnType<typeof partAt>) =>
  part === undefined ? undefined : part.type === 'end' ? 'End' : `${kindOf(part).label}: ${titleOf(part)}`;

const deedOf = (type: string | undefined, did: string): string =>
  (type === undefined ? undefined : workflows.nodes[type]?.deeds[did]) ?? did.replaceAll('_', ' ');

interface ItemProps {
  readonly icon: Parameters<typeof Icon>[0]['name'];
  readonly at: string;
  readonly title: string | undefined;
  readonly did?: string | undefined;
  readonly message?: Message | undefined;
  readonly isHere?: boolean;
}

const Item = ({ icon, at, title, did, message, isHere = false }: ItemProps) => (
  <li className={isHere ? 'here' : undefined} aria-current={isHere ? 'step' : undefined}>
    <Icon name={icon} small />
    <span className="col g0 grow">
      <span className="medium">{title}</span>
      {did !== undefined && <span className="hint">{did}</span>}
      {message !== undefined && <Became message={message} />}
      <span className="hint">{at}</span>
    </span>
  </li>
);

const looks = {
  sent: 'sent',
  failed: 'failed',
  uncertain: 'uncertain',
  pending: 'pending',
  skipped: '',
} as const;

/** What became of a message, in the service's own words. */
const Became = ({ message: { outcome, summary } }: { readonly message: Message }) => (
  <details>
    <summary className="link">
      <span className={`pill ${looks[outcome]}`}>{outcome}</span> Why?
    </summary>
    <p className="hint">{summary}</p>
  </details>
);
