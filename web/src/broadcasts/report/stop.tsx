import { useState } from 'react';
import { useAct } from '../../call/use-call.ts';
import { count, people } from '../../format/number.ts';
import { useWhyNot } from '../../frame/me.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { Broadcast } from '../state-pill.tsx';
import type { Stats } from './outcomes.tsx';

/** What was handed over is not called back, and it does not go on: said before. */
export function Stop({ broadcast, stats }: { readonly broadcast: Broadcast; readonly stats: Stats }) {
  const [isAsked, setAsked] = useState(false);
  const toast = useToast();
  const whyNot = useWhyNot()('stop_broadcast');
  const stop = useAct('stop_broadcast', [
    'get_broadcast',
    'get_broadcast_stats',
    'list_broadcasts',
    'list_broadcast_recipients',
  ]);
  const { sent, pending } = stats.outcomes;
  return (
    <>
      <Button kind="danger" icon="minus" unless={whyNot} onClick={() => setAsked(true)}>
        Stop sending
      </Button>
      <Dialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title="Stop sending?"
        footer={
          <span className="row end">
            <Button kind="secondary" autoFocus onClick={() => setAsked(false)}>
              Keep sending
            </Button>
            <Button
              kind="danger"
              busy={stop.isPending && 'Stopping'}
              onClick={() =>
                stop.mutate(
                  { broadcast_id: broadcast.id },
                  {
                    onSuccess: ({ message }) => {
                      setAsked(false);
                      toast(message);
                    },
                  },
                )
              }
            >
              Stop for {people(pending)}
            </Button>
          </span>
        }
      >
        <p className="muted">
          {count(sent)} have it already, and keep it. The {people(pending)} still to come will not get it; a
          message in hand at this moment may still go. It cannot go on afterwards, and it cannot be undone.
        </p>
        {stop.error !== null && (
          <p className="note bad mt4" role="alert">
            <Icon name="bad" />
            <span>{stop.error.message}</span>
          </p>
        )}
      </Dialog>
    </>
  );
}
