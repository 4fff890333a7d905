import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct, useOrg } from '../call/use-call.ts';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import type { Broadcast } from './state-pill.tsx';
import { titleOf } from './words.ts';

/** It cannot be taken back, so it asks. */
export function DeleteBroadcast({ broadcast }: { readonly broadcast: Broadcast }) {
  const [isAsked, setAsked] = useState(false);
  const org = useOrg();
  const navigate = useNavigate();
  const whyNot = useWhyNot()('delete_broadcast');
  const remove = useAct('delete_broadcast', ['list_broadcasts']);
  return (
    <>
      <Button
        kind="ghost"
        icon="trash"
        aria-label="Delete this broadcast"
        unless={whyNot}
        onClick={() => setAsked(true)}
      />
      <Dialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title={`Delete “${titleOf(broadcast)}”?`}
        footer={
          <span className="row end">
            <Button kind="ghost" onClick={() => setAsked(false)}>
              Keep it
            </Button>
            <Button
              kind="danger"
              busy={remove.isPending && 'Deleting'}
              onClick={() =>
                remove.mutate(
                  { broadcast_id: broadcast.id },
                  { onSuccess: () => void navigate({ to: '/o/$org/broadcasts', params: { org } }) },
                )
              }
            >
              Delete
            </Button>
          </span>
        }
      >
        <p className="muted">What was written goes for good. Nobody has received any of it.</p>
        {remove.error !== null && (
          <p className="note bad mt4" role="alert">
            <Icon name="bad" />
            <span>{remove.error.message}</span>
          </p>
        )}
      </Dialog>
    </>
  );
}
