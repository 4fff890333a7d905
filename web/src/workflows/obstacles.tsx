import { Link } from '@tanstack/react-router';
import { useOrg } from '../call/use-call.ts';
import { count } from '../format/number.ts';
import { Button } from '../ui/button.tsx';
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

/** Of two who edited at once, the second is asked. */
export function Conflict({ draft, id }: { readonly draft: WorkflowDraft; readonly id: string }) {
  const org = useOrg();
  if (draft.state !== 'conflict') return null;
  return (
    <div className="note warn" role="alert">
      <Icon name="warning" />
      <div className="grow">
        <b>Somebody else changed this workflow meanwhile.</b> What you changed since is still here and is not
        saved.
        <div className="row wrap mt2">
          <Button size="s" onClick={draft.overwrite}>
            Save mine over it
          </Button>
          <Link
            className="btn secondary s"
            to="/o/$org/workflows/$workflow"
            params={{ org, workflow: id }}
            reloadDocument
          >
            Drop mine and read theirs
          </Link>
        </div>
      </div>
    </div>
  );
}
