import { useParams, useSearch } from '@tanstack/react-router';
import { useAsk, useOrg } from '../call/use-call.ts';
import { LockNote } from '../frame/lock-note.tsx';
import { Page } from '../frame/frame.tsx';
import { Failed, Skeleton } from '../ui/blank.tsx';
import { Conflict } from '../ui/conflict.tsx';
import { Editor } from './editor.tsx';
import type { Workflow } from './graph/graph.ts';
import { Obstacles } from './obstacles.tsx';
import { useWorkflowDraft } from './model/use-workflow-draft.ts';
import { RunsView } from './runs-view.tsx';
import { TravelView } from './travel-view.tsx';
import { WorkflowHead } from './workflow-head.tsx';
import './workflow.css';

export function WorkflowPage() {
  const { workflow: id } = useParams({ from: '/o/$org/workflows/$workflow' });
  const org = useOrg();
  const asked = useAsk('get_workflow', { workflow_id: id }, { everyMs: 15_000 });
  const workflow = asked.data?.workflow;
  return (
    <Page crumbs={[['Workflows', `/o/${org}/workflows`]]} title={workflow?.name ?? 'Workflow'}>
      {asked.error !== null && workflow === undefined ? (
        <Failed problem={asked.error} what="this workflow" heading="h1" retry={() => void asked.refetch()} />
      ) : workflow === undefined ? (
        <Skeleton rows={10} heading="Workflow" />
      ) : (
        <Views key={id} workflow={workflow} />
      )}
    </Page>
  );
}

/** The draft is kept here, so that undo outlives a look at the runs. */
function Views({ workflow }: { readonly workflow: Workflow }) {
  const { view = 'canvas' } = useSearch({ from: '/o/$org/workflows/$workflow' });
  const draft = useWorkflowDraft(workflow);
  return (
    <div className="wl">
      <WorkflowHead workflow={workflow} draft={draft} view={view} />
      {view === 'runs' ? (
        <RunsView workflow={workflow} />
      ) : view === 'travel' ? (
        <TravelView workflow={workflow} />
      ) : (
        <>
          <LockNote operation="update_workflow" />
          {draft.state === 'conflict' && <Conflict thing="workflow" onOverwrite={draft.overwrite} />}
          <Obstacles workflow={workflow} draft={draft} />
          <Editor workflow={workflow} draft={draft} view={view} />
        </>
      )}
    </div>
  );
}
