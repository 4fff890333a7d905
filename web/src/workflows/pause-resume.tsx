import { useAct } from '../call/use-call.ts';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { useToast } from '../ui/toast.tsx';
import type { Workflow } from './graph/graph.ts';
import { useKnow } from './use-know.ts';

/** Both are undone by the other, so neither asks. */
export function PauseResume({ workflow: { id, status } }: { readonly workflow: Workflow }) {
  const know = useKnow(id);
  const whyNot = useWhyNot();
  const toast = useToast();
  const pause = useAct('pause_workflow', ['list_workflows']);
  const resume = useAct('resume_workflow', ['list_workflows']);
  if (status === 'draft') return null;
  const isPaused = status === 'paused';
  const act = isPaused ? resume : pause;
  const other = isPaused ? pause : resume;
  return (
    <Button
      size="s"
      icon={isPaused ? 'play' : 'pause'}
      unless={whyNot(isPaused ? 'resume_workflow' : 'pause_workflow')}
      busy={act.isPending && (isPaused ? 'Resuming' : 'Pausing')}
      title={act.error?.message}
      onClick={() =>
        void act.mutateAsync({ workflow_id: id }).then(
          (told) => {
            know(told);
            toast(
              isPaused ? 'It goes on.' : 'Paused: nobody enters, and nobody goes on.',
              () => void other.mutateAsync({ workflow_id: id }).then(know, () => undefined),
            );
          },
          () => undefined,
        )
      }
    >
      {isPaused ? 'Resume' : 'Pause'}
    </Button>
  );
}
