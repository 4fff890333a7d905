import { lazy, Suspense, useCallback, useState, type KeyboardEvent } from 'react';
import { areKeysOn } from '../frame/keys.ts';
import { useWhyNot } from '../frame/me.ts';
import { Skeleton } from '../ui/blank.tsx';
import { useToast } from '../ui/toast.tsx';
import { countsAt } from './counts.ts';
import { atTrigger, type Workflow } from './graph/graph.ts';
import { allWays, partAt, waysOf } from './graph/ways.ts';
import { ListView } from './list-view.tsx';
import { addStep, duplicateStep, leadTo, removeStep, renameStep } from './model/edits.ts';
import type { WorkflowDraft } from './model/use-workflow-draft.ts';
import { AddRail } from './rail/add-rail.tsx';
import { StepRail } from './rail/step-rail.tsx';
import { useIsPhone } from '../frame/is-phone.ts';
import { useOpenStep } from './use-open-step.ts';
import { WaitingBadge } from './waiting-badge.tsx';

const GraphView = lazy(async () => ({ default: (await import('./graph/graph-view.tsx')).GraphView }));

interface EditorProps {
  readonly workflow: Workflow;
  readonly draft: WorkflowDraft;
  readonly view: 'canvas' | 'list';
}

/** The draft as a picture or as a list, with the same actions, and what is open of it beside. */
export function Editor({ workflow, draft, view }: EditorProps) {
  const { graph, edit, told } = draft;
  const { step, adding, open } = useOpenStep();
  const isPhone = useIsPhone();
  const isLocked = useWhyNot()('update_workflow') !== undefined;
  const toast = useToast();
  const part = step === undefined ? undefined : partAt(graph, step);
  const opened = `${step} ${adding?.field} ${draft.turn}`;
  // What the address opened leaves the focus where a page begins; what somebody opens here takes it.
  const [byAddress, setByAddress] = useState<string | undefined>(opened);
  if (byAddress !== undefined && byAddress !== opened) setByAddress(undefined);
  const takesFocus = byAddress === undefined;
  const problem = useCallback((id: string) => told.find((one) => one.step === id)?.message, [told]);
  const line = useCallback((id: string) => countsAt(workflow, id), [workflow]);
  const badge = useCallback((id: string) => <WaitingBadge workflow={workflow} id={id} />, [workflow]);
  const close = (): void => {
    open(undefined);
    if (step !== undefined) focusStep(step);
  };
  const remove = (id: string): void => {
    const before = allWays(graph).find(({ to }) => to === id)?.from ?? atTrigger;
    edit(removeStep(graph, id));
    open(undefined);
    focusStep(before);
    toast(`${id} is taken out.`, draft.takeBack);
  };
  const onKey = (id: string, event: KeyboardEvent): void => {
    if (isLocked || event.metaKey || event.ctrlKey || event.altKey) return;
    const first = waysOf(partAt(graph, id)!)[0];
    const key = event.key.toLowerCase();
    if ((key === 'delete' || key === 'backspace') && id !== atTrigger) remove(id);
    else if (key === 'a' && areKeysOn() && first !== undefined) open(id, first.field);
    else if (key === 'd' && areKeysOn()) edit(duplicateStep(graph, id));
    else return;
    event.preventDefault();
  };
  const actions = { onAdd: (way: { from: string; field: string }) => open(way.from, way.field), onKey };
  return (
    <div className={part === undefined ? 'wf' : 'wf open'}>
      {view === 'list' || isPhone ? (
        <ListView
          graph={graph}
          selected={step}
          problem={problem}
          line={line}
          isLocked={isLocked}
          onSelect={(id) => open(id)}
          onRemove={remove}
          {...actions}
        />
      ) : (
        <Suspense fallback={<Skeleton rows={8} />}>
          <GraphView
            graph={graph}
            label={workflow.name}
            selected={step}
            onSelect={(id) => open(id)}
            problem={problem}
            line={line}
            badge={badge}
            {...(!isLocked && {
              editing: {
                ...actions,
                adding,
                onConnect: (way, to) => edit(leadTo(graph, way, to)),
              },
            })}
          />
        </Suspense>
      )}
      {part !== undefined && step !== undefined && adding !== undefined && !isLocked && (
        <AddRail
          key={`${step} ${adding.field}`}
          graph={graph}
          way={adding}
          takesFocus={takesFocus}
          onClose={close}
          onChoose={(added) => {
            edit(addStep(graph, adding, added));
            open(added.id);
          }}
        />
      )}
      {part !== undefined && step !== undefined && (adding === undefined || isLocked) && (
        <StepRail
          key={`${step} ${draft.turn}`}
          id={step}
          part={part}
          graph={graph}
          told={told}
          line={line(step)}
          isLocked={isLocked}
          takesFocus={takesFocus}
          onEdit={edit}
          onRename={(name) => {
            edit(renameStep(graph, step, name));
            open(name);
          }}
          onAdd={actions.onAdd}
          onRemove={() => remove(step)}
          onClose={close}
        />
      )}
    </div>
  );
}

/** Once what closes is gone. */
const focusStep = (id: string): void =>
  void requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-step="${CSS.escape(id)}"]`)?.focus({ preventScroll: true }),
  );
