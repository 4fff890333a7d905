import { useNavigate } from '@tanstack/react-router';
import { useAct, useOrg } from '../call/use-call.ts';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Webinar } from './state.tsx';

interface AboutWebinar {
  readonly webinar: Webinar;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function DeleteWebinar({ webinar, open, onClose }: AboutWebinar) {
  const org = useOrg();
  const navigate = useNavigate();
  const remove = useAct('delete_webinar', ['list_webinars']);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Delete “${webinar.title}”?`}
      footer={
        <span className="row end">
          <Button kind="ghost" onClick={onClose}>
            Keep it
          </Button>
          <Button
            kind="danger"
            unless={useWhyNot()('delete_webinar')}
            busy={remove.isPending && 'Deleting'}
            onClick={() =>
              remove.mutate(
                { webinar_id: webinar.id },
                { onSuccess: () => void navigate({ to: '/o/$org/webinars', params: { org } }) },
              )
            }
          >
            Delete
          </Button>
        </span>
      }
    >
      <p className="muted">
        Only a webinar that nothing came of can be deleted: nobody registered, nothing sent. It cannot be
        undone.
      </p>
      {remove.error !== null && (
        <p className="err mt3" role="alert">
          {remove.error.message}
        </p>
      )}
    </Dialog>
  );
}
