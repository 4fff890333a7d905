import { useAct } from '../call/use-call.ts';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { useToast } from '../ui/toast.tsx';
import type { Broadcast } from './state-pill.tsx';

/** Takes a scheduled broadcast back to draft, until the moment sending begins. */
export function PullBack({ broadcast }: { readonly broadcast: Broadcast }) {
  const toast = useToast();
  const whyNot = useWhyNot()('unschedule_broadcast');
  const back = useAct('unschedule_broadcast', ['get_broadcast', 'list_broadcasts', 'plan_broadcast']);
  return (
    <>
      <Button
        icon="undo"
        unless={whyNot}
        busy={back.isPending && 'Pulling back'}
        onClick={() =>
          back.mutate(
            { broadcast_id: broadcast.id },
            { onSuccess: () => toast('It is a draft again and will not be sent') },
          )
        }
      >
        Pull back to draft
      </Button>
      {back.error !== null && (
        <p className="err mt2" role="alert">
          {back.error.message}
        </p>
      )}
    </>
  );
}
