import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Segmented } from '../broadcasts/segmented.tsx';
import { cityOf, clockTime } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { isTyping } from '../frame/keys.ts';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import type { Workflow } from './graph/graph.ts';
import type { WorkflowDraft } from './model/use-workflow-draft.ts';
import { MoreMenu } from './more-menu.tsx';
import { PauseResume } from './pause-resume.tsx';
import { Publish } from './publish.tsx';
import type { View } from './search.ts';
import { useIsPhone } from '../frame/is-phone.ts';

const viewWords: readonly (readonly [View, string])[] = [
  ['canvas', 'Canvas'],
  ['list', 'List'],
  ['runs', 'Runs'],
  ['travel', 'Time travel'],
];

interface WorkflowHeadProps {
  readonly workflow: Workflow;
  readonly draft: WorkflowDraft;
  readonly view: View;
}

export function WorkflowHead({ workflow, draft, view }: WorkflowHeadProps) {
  const navigate = useNavigate({ from: '/o/$org/workflows/$workflow' });
  const isPhone = useIsPhone();
  const isEditing = view === 'canvas' || view === 'list';
  const isLocked = useWhyNot()('update_workflow') !== undefined;
  useEditKeys(draft, isEditing && !isLocked);
  // What waits is saved first: a simulation is of what is saved.
  const show = (chosen: View): void =>
    void draft.saveNow().then(() => navigate({ search: { view: chosen } }));
  return (
    <div className="wt">
      <div className="row g3 grow wrap">
        <h1 className="ttl ellipsis">{workflow.name}</h1>
        <Status workflow={workflow} />
        {isEditing && <Saving draft={draft} />}
      </div>
      <div className="row wrap">
        {isEditing && !isLocked && (
          <span className="row g1">
            <Button
              kind="ghost"
              size="s"
              icon="undo"
              aria-label="Undo"
              unless={draft.undo === undefined && 'Nothing was changed here yet.'}
              onClick={draft.undo}
            />
            <Button
              kind="ghost"
              size="s"
              icon="redo"
              aria-label="Redo"
              unless={draft.redo === undefined && 'Nothing was undone.'}
              onClick={draft.redo}
            />
          </span>
        )}
        <Segmented
          label="View"
          choices={isPhone ? viewWords.slice(1) : viewWords}
          value={isPhone && view === 'canvas' ? 'list' : view}
          onChange={show}
        />
        <PauseResume workflow={workflow} />
        <MoreMenu workflow={workflow} draft={draft} />
        <Publish workflow={workflow} draft={draft} />
      </div>
    </div>
  );
}

const Status = ({
  workflow: { status, live_version, has_unpublished_changes },
}: {
  readonly workflow: Workflow;
}) => (
  <>
    {live_version !== null && (
      <span className={`pill ${status}`}>
        <Icon name={status === 'paused' ? 'pause' : 'play'} />
        {status === 'paused' ? 'Paused' : 'Live'}, version {live_version}
      </span>
    )}
    {has_unpublished_changes && (
      <span className="pill draft">
        <Icon name="edit" />
        {live_version === null ? 'Draft' : 'Draft with changes'}
      </span>
    )}
  </>
);

function Saving({ draft: { state, savedAt } }: { readonly draft: WorkflowDraft }) {
  const { zone } = useNow();
  return (
    <span className="hint" role="status">
      {state === 'saved'
        ? `Saved ${clockTime(savedAt, zone)} ${cityOf(zone)}`
        : state === 'waiting' || state === 'saving'
          ? 'Saving'
          : 'Not saved'}
    </span>
  );
}

/** ⌘Z, ⇧⌘Z and ⌘S. In a field the browser undoes what was typed there. */
function useEditKeys(draft: WorkflowDraft, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const listen = (event: KeyboardEvent): void => {
      if (!(event.metaKey || event.ctrlKey)) return;
      const key = event.key.toLowerCase();
      if (key === 's') void draft.saveNow();
      else if (key === 'z' && !isTyping(event.target)) (event.shiftKey ? draft.redo : draft.undo)?.();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  });
}
