import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { call } from '../../call/call.ts';
import { Problem } from '../../call/problem.ts';
import type { Output } from '../../call/types.ts';
import { useAutosave, type Autosave } from '../../call/use-autosave.ts';
import { asking, useOrg } from '../../call/use-call.ts';
import { graphOf, type Graph, type Workflow } from '../graph/graph.ts';
import { catchUp, type Base } from './catch-up.ts';
import { begin, go, redo, undo } from './history.ts';
import { tellSteps, type Told } from './told.ts';

interface Changes {
  readonly name?: string;
  readonly graph?: Graph;
}

export interface WorkflowDraft extends Omit<Autosave<Changes>, 'change' | 'goOnAt'> {
  readonly graph: Graph;
  /** `about` groups changes that are undone together, such as the letters of one field. */
  readonly edit: (graph: Graph, about?: string) => void;
  readonly rename: (name: string) => void;
  /** Undoes whatever was last, also from a message that is older than it. */
  readonly takeBack: () => void;
  readonly undo: (() => void) | undefined;
  readonly redo: (() => void) | undefined;
  /** What keeps the draft from being published or saved, in the service's words. */
  readonly told: readonly Told[];
  /** Counts undoing: forms that keep what is typed begin anew with it. */
  readonly turn: number;
}

/** What is edited, with its past. The service judges; this keeps what it said. */
export function useWorkflowDraft(workflow: Workflow): WorkflowDraft {
  const { id } = workflow;
  const org = useOrg();
  const client = useQueryClient();
  const [history, setHistory] = useState(() => begin(graphOf(workflow)));
  const [base, setBase] = useState<Base>({ revision: workflow.revision, graph: history.present });
  const [told, setTold] = useState(() => tellSteps(graphOf(workflow), workflow.problems));

  const send = useCallback(
    async ({ name, graph }: Changes, revision: number | undefined) => {
      try {
        const { workflow: saved } = await call(org, 'update_workflow', {
          workflow_id: id,
          ...(revision !== undefined && { revision }),
          ...(name !== undefined && { name }),
          ...(graph !== undefined && { graph }),
        });
        const key = asking(org, 'get_workflow', { workflow_id: id }).queryKey;
        client.setQueryData<Output<'get_workflow'>>(key, (old) =>
          old === undefined
            ? old
            : {
                workflow: {
                  ...old.workflow,
                  ...saved,
                  ...(graph !== undefined && { graph: asParts(graph) }),
                },
              },
        );
        if (graph !== undefined) setTold(tellSteps(graph, saved.problems));
        setBase((old) => ({ revision: saved.revision, graph: graph ?? old.graph }));
        for (const read of ['list_workflows', 'get_workflow_changes', 'simulate_workflow'] as const)
          void client.invalidateQueries({ queryKey: [org, read] });
        return saved;
      } catch (error) {
        if (error instanceof Problem && graph !== undefined && error.errors.length > 0)
          setTold(
            tellSteps(
              graph,
              error.errors.map(({ pointer, detail }) => ({ pointer, message: detail })),
            ),
          );
        throw error;
      }
    },
    [client, id, org],
  );
  const autosave = useAutosave({ first: workflow, conflict: 'workflow_changed', send });
  const { change, goOnAt, state } = autosave;

  // Pausing and publishing go on to a new revision, and so does somebody else while nothing waits here.
  const { present } = history;
  const { revision } = workflow;
  const next =
    state === 'saved' && revision > base.revision
      ? catchUp(base, present, { revision, graph: graphOf(workflow) })
      : undefined;
  if (next !== undefined) {
    setBase(next);
    if (next.graph !== present) setHistory(begin(next.graph));
    setTold(tellSteps(next.graph, workflow.problems));
  }
  useEffect(() => {
    if (state === 'saved') goOnAt(base.revision);
  }, [state, base.revision, goOnAt]);

  // A graph with neither past nor future was read, not written.
  const isWritten = history.past.length > 0 || history.future.length > 0;
  useEffect(() => {
    if (isWritten) change({ graph: present });
  }, [isWritten, present, change]);

  return {
    ...autosave,
    graph: present,
    edit: (graph, about) => setHistory((old) => go(old, graph, about)),
    rename: (name) => change({ name }),
    takeBack: () => setHistory(undo),
    undo: history.past.length === 0 ? undefined : () => setHistory(undo),
    redo: history.future.length === 0 ? undefined : () => setHistory(redo),
    told,
    turn: history.turn,
  };
}

const asParts = ({ trigger, nodes }: Graph): Workflow['graph'] => ({
  trigger: { ...trigger },
  nodes: nodes.map((node) => ({ ...node })),
});
