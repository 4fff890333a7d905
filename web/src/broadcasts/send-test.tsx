import { useState } from 'react';
import { useAct } from '../call/use-call.ts';
import { useMe } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { useToast } from '../ui/toast.tsx';
import type { Draft } from './use-draft.ts';

interface SendTestProps {
  readonly draft: Draft;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** To oneself, or to whom one names; it counts nowhere. */
export function SendTest({ draft, open, onClose }: SendTestProps) {
  const { user } = useMe();
  const toast = useToast();
  const isText = draft.fields.channel === 'sms';
  const [to, setTo] = useState(isText ? '' : (user?.email ?? ''));
  const test = useAct('test_broadcast', []);
  const send = async (): Promise<void> => {
    if (!(await draft.saveNow())) return;
    test.mutate(
      { broadcast_id: draft.saved.id, to: [to] },
      {
        onSuccess: ({ to: going, left_out }) => {
          onClose();
          toast(
            going.length > 0
              ? `The test goes to ${going.join(', ')}`
              : `Nothing goes to ${left_out.join(', ')}: it is suppressed`,
          );
        },
      },
    );
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Send a test?"
      footer={
        <span className="row end">
          <Button kind="ghost" onClick={onClose}>
            Not now
          </Button>
          <Button kind="primary" busy={test.isPending && 'Sending'} onClick={() => void send()}>
            Send the test
          </Button>
        </span>
      }
    >
      <p className="muted">
        The message as it stands, marked as a test. It counts nowhere, and its links are not tracked.
      </p>
      <div className="mt4">
        <Field label={isText ? 'Phone number' : 'Email'} error={test.error?.at('/to')}>
          {(ids) => (
            <Input
              {...ids}
              type={isText ? 'tel' : 'email'}
              value={to}
              onChange={(event) => setTo(event.target.value)}
            />
          )}
        </Field>
      </div>
      {test.error !== null && test.error.at('/to') === undefined && (
        <p className="note bad mt4" role="alert">
          <Icon name="bad" />
          <span>{test.error.message}</span>
        </p>
      )}
    </Dialog>
  );
}
