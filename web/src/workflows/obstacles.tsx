import { count } from '../format/number.ts';
import { Icon } from '../ui/icon.tsx';
import type { Workflow } from './graph/graph.ts';
import { partAt } from './graph/ways.ts';
import { titleOf } from './graph/words.ts';
import type { WorkflowDraft } from './model/use-workflow-draft.ts';
import { useOpenStep } from './use-open-step.ts';

/** What keeps the draft from being saved or published, and the way to it. */
export function Obstacles({
  workflow,
  draft,
}: {
  readonly workflow: Workflow;
  readonly draft: WorkflowDraft;
}) {
  const { open } = useOpenStep();
  const { told, state, problem } = draft;
  const [first] = told;
  const part = first && partAt(draft.graph, first.step);
  if (state === 'conflict') return null;
  if (state !== 'refused' && first === undefined) return null;
  const said =
    state === 'refused'
      ? 'Not saved.'
      : `${told.length === 1 ? '1 problem keeps' : `${count(told.length)} problems keep`} the draft from being published:`;
  return (
    <div className="why" id="why" role={state === 'refused' ? 'alert' : undefined}>
      <Icon name="bad" small />
      <span className="said">
        {said} {part !== undefined && <b className="medium">{titleOf(part)}: </b>}
        {first?.message ?? problem?.message}
      </span>
      {first !== undefined && (
        <button type="button" className="link plain" onClick={() => open(first.step)}>
          Show
        </button>
      )}
      {workflow.live_version !== null && workflow.counts.running > 0 && (
        <span className="end hint">
          {count(workflow.counts.running)} runs go on with the version they began with
        </span>
      )}
    </div>
  );
}
