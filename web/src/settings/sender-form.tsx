import { useState } from 'react';
import { useAct } from '../call/use-call.ts';
import { Field, Input } from '../ui/field.tsx';
import { useToast } from '../ui/toast.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import type { Sender } from './sender-records.ts';

interface SenderFormProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** undefined for one that is being added. */
  readonly sender?: Sender;
}

export function SenderForm({ open, onClose, sender }: SenderFormProps) {
  const [name, setName] = useState(sender?.name ?? '');
  const [email, setEmail] = useState(sender?.email ?? '');
  const [replyTo, setReplyTo] = useState(sender?.reply_to ?? '');
  const create = useAct('create_sender', ['list_senders', 'list_sending_domains']);
  const update = useAct('update_sender', ['list_senders']);
  const toast = useToast();
  const error = create.error ?? update.error;
  const submit = (): void => {
    const reply_to = replyTo === '' || replyTo === email ? null : replyTo;
    const onSuccess = (): void => {
      onClose();
      toast(sender === undefined ? `${email} added` : 'Saved');
    };
    if (sender === undefined) create.mutate({ name, email, reply_to }, { onSuccess });
    else update.mutate({ sender_id: sender.id, name, reply_to }, { onSuccess });
  };
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={sender === undefined ? 'Add a sender' : `Change ${sender.email}`}
      verb={sender === undefined ? 'Add' : 'Save'}
      busy={(create.isPending && 'Adding') || (update.isPending && 'Saving')}
      problem={error}
      fields={['/name', '/email', '/reply_to']}
      onSubmit={submit}
    >
      <Field label="Name" hint="What recipients see as the sender." error={error?.at('/name')}>
        {(ids) => <Input {...ids} value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field
        label="Email"
        hint={
          sender === undefined
            ? 'The first address at a domain asks for four records in its DNS.'
            : 'An address is fixed. For another one add a sender.'
        }
        error={error?.at('/email')}
      >
        {(ids) => (
          <Input
            {...ids}
            readOnly={sender !== undefined}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </Field>
      <Field
        label="Replies go to"
        hint="At any domain. Empty: the address itself."
        error={error?.at('/reply_to')}
      >
        {(ids) => <Input {...ids} value={replyTo} onChange={(event) => setReplyTo(event.target.value)} />}
      </Field>
    </FormDialog>
  );
}
