import { useAct, useAsk } from '../call/use-call.ts';
import { count, people } from '../format/number.ts';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useToast } from '../ui/toast.tsx';
import { useHanging } from './hanging.ts';
import type { Webinar } from './state.tsx';

interface AboutWebinar {
  readonly webinar: Webinar;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** What it ends is said before, because it is for good. */
export function CancelWebinar({ webinar, open, onClose }: AboutWebinar) {
  const cancel = useAct('cancel_webinar', ['get_webinar', 'list_webinars']);
  const toast = useToast();
  const hanging = useHanging(webinar, open && webinar.status !== 'canceled');
  const registered = useAsk('list_registrations', { webinar_id: webinar.id, limit: 1 }, { enabled: open });
  const whyNot =
    useWhyNot()('cancel_webinar') ?? (webinar.status === 'canceled' ? 'It is canceled already.' : undefined);
  const waits = hanging.data?.recomputed;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Cancel “${webinar.title}”?`}
      footer={
        <span className="row end">
          <Button kind="ghost" onClick={onClose}>
            Keep it
          </Button>
          <Button
            kind="danger"
            unless={whyNot}
            busy={cancel.isPending && 'Canceling'}
            onClick={() =>
              cancel.mutate(
                { webinar_id: webinar.id },
                {
                  onSuccess: () => {
                    toast('Canceled');
                    onClose();
                  },
                },
              )
            }
          >
            Cancel the webinar
          </Button>
        </span>
      }
    >
      <div className="col">
        <p>It cannot be undone.</p>
        <ul className="col plain">
          <li>
            {registered.data === undefined ? '—' : people(registered.data.total)} registered. Nobody is told
            by itself: send a broadcast first if they should be.
          </li>
          <li>
            {waits === undefined ? '—' : count(waits)}{' '}
            {waits === 1 ? 'reminder that waits' : 'reminders that wait'} will not be sent.
          </li>
          {(hanging.data?.broadcasts ?? []).map(({ id, subject }) => (
            <li key={id}>The broadcast “{subject ?? 'without a subject'}” will not begin.</li>
          ))}
        </ul>
        {cancel.error !== null && (
          <p className="err" role="alert">
            {cancel.error.message}
          </p>
        )}
      </div>
    </Dialog>
  );
}
