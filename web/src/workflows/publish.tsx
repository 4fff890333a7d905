import { useState } from 'react';
import { useAct, useAsk } from '../call/use-call.ts';
import { count, people } from '../format/number.ts';
import { useWhyNot } from '../frame/me.ts';
import { Failed, Skeleton } from '../ui/blank.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Refusal } from '../ui/refusal.tsx';
import { useToast } from '../ui/toast.tsx';
import { partAt } from './graph/ways.ts';
import { titleOf } from './graph/words.ts';
import type { Workflow } from './graph/graph.ts';
import type { WorkflowDraft } from './model/use-workflow-draft.ts';
import { useKnow } from './use-know.ts';

interface PublishProps {
  readonly workflow: Workflow;
  readonly draft: WorkflowDraft;
}

/** Makes the draft live, after showing what that changes. Only what was shown is published. */
export function Publish({ workflow, draft }: PublishProps) {
  const [isAsked, setAsked] = useState(false);
  const whyNot = useWhyNot()('publish_workflow');
  const reason =
    whyNot ??
    (draft.told.length > 0
      ? 'The draft has problems, which are told above it.'
      : !workflow.has_unpublished_changes && draft.state === 'saved'
        ? 'What is live is what the draft says.'
        : undefined);
  const ask = (): void => void draft.saveNow().then((isSaved) => isSaved && setAsked(true));
  return (
    <>
      <Button kind="primary" size="s" unless={reason} onClick={ask}>
        Publish
      </Button>
      {isAsked && <Asked workflow={workflow} draft={draft} onClose={() => setAsked(false)} />}
    </>
  );
}

function Asked({ workflow, draft, onClose }: PublishProps & { readonly onClose: () => void }) {
  const { id, revision, live_version, status } = workflow;
  const publish = useAct('publish_workflow', ['list_workflows', 'get_workflow', 'get_workflow_changes']);
  const know = useKnow(id);
  const toast = useToast();
  return (
    <Dialog
      open
      onClose={onClose}
      title={live_version === null ? 'Publish this workflow?' : 'Publish these changes?'}
      footer={
        <span className="row end">
          <Button kind="ghost" onClick={onClose}>
            Keep as a draft
          </Button>
          <Button
            kind="primary"
            busy={publish.isPending && 'Publishing'}
            onClick={() =>
              void publish.mutateAsync({ workflow_id: id, revision }).then(
                (told) => {
                  know(told);
                  onClose();
                  toast(`Version ${told.workflow.live_version ?? 1} is live.`);
                },
                () => undefined,
              )
            }
          >
            Publish
          </Button>
        </span>
      }
    >
      <div className="col g4">
        <p className="muted">
          {live_version === null
            ? 'From now on whoever comes in goes through it and gets its messages, without being asked again.'
            : `Whoever comes in from now on goes through the new version. ${
                workflow.counts.running === 0
                  ? 'Nobody is under way.'
                  : `${people(workflow.counts.running)} under way stay with the version they began with.`
              }`}
          {status === 'paused' && ' The workflow stays paused.'}
        </p>
        {live_version !== null && <Changes workflow={workflow} draft={draft} />}
        <Refusal problem={publish.error} />
      </div>
    </Dialog>
  );
}

const words = { added: 'new', changed: 'changed', removed: 'taken out' } as const;

function Changes({ workflow: { id, live_version }, draft }: PublishProps) {
  const asked = useAsk('get_workflow_changes', { workflow_id: id });
  if (asked.error !== null)
    return <Failed problem={asked.error} what="what changes" retry={() => void asked.refetch()} />;
  if (asked.data === undefined) return <Skeleton rows={3} />;
  return (
    <table className="tbl small" aria-label="What changes">
      <thead>
        <tr>
          <th className="first">Step</th>
          <th>Change</th>
          <th className="last">Waiting there</th>
        </tr>
      </thead>
      <tbody>
        {asked.data.changes.map(({ id: step, change, waiting }) => {
          const part = partAt(draft.graph, step);
          return (
            <tr key={step}>
              <td className="first">
                {step}
                {part !== undefined && <span className="hint"> {titleOf(part)}</span>}
              </td>
              <td>{words[change]}</td>
              <td className="last">
                {waiting === 0 ? '—' : `${count(waiting)}, go on with version ${live_version ?? ''} or older`}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
