import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct, useOrg } from '../call/use-call.ts';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { closeOpen } from './open-imports.ts';

export function Discard({ id, name }: { readonly id: string; readonly name: string }) {
  const org = useOrg();
  const navigate = useNavigate();
  const whyNot = useWhyNot()('cancel_import');
  const cancel = useAct('cancel_import', ['list_data_imports']);
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button kind="ghost" unless={whyNot} onClick={() => setAsked(true)}>
        Discard import
      </Button>
      <Dialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title={`Discard the import of ${name}?`}
        footer={
          <span className="row end">
            <Button kind="ghost" onClick={() => setAsked(false)}>
              Keep it
            </Button>
            <Button
              kind="danger"
              busy={cancel.isPending && 'Discarding'}
              onClick={() =>
                cancel.mutate(
                  { import_id: id },
                  {
                    onSuccess: () => {
                      closeOpen(id);
                      void navigate({ to: '/o/$org/imports', params: { org } });
                    },
                  },
                )
              }
            >
              Discard
            </Button>
          </span>
        }
      >
        <p className="muted">The mapping and the rows that were sent go for good. No person is changed.</p>
        {cancel.error !== null && (
          <p className="note bad mt4" role="alert">
            <Icon name="bad" />
            <span>{cancel.error.message}</span>
          </p>
        )}
      </Dialog>
    </>
  );
}
