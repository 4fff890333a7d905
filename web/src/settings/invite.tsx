import { useState } from 'react';
import { useAct } from '../call/use-call.ts';
import type { Input as InputOf } from '../call/types.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Input, Select } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { useToast } from '../ui/toast.tsx';
import { roleChoices } from './role-choices.ts';

type Role = InputOf<'invite_member'>['role'];

export function Invite({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const invite = useAct('invite_member', ['list_invitations']);
  const toast = useToast();
  const submit = (): void =>
    invite.mutate(
      { email, role },
      {
        onSuccess: () => {
          toast(`An invitation went to ${email}`);
          setEmail('');
          onClose();
        },
      },
    );
  const { error } = invite;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Invite somebody"
      footer={
        <span className="row end">
          <Button kind="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" busy={invite.isPending && 'Inviting'} onClick={submit}>
            Invite
          </Button>
        </span>
      }
    >
      <form
        className="col g4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field
          label="Email"
          hint="Only this address can accept it, within 7 days."
          error={error?.at('/email')}
        >
          {(ids) => (
            <Input {...ids} type="email" value={email} onChange={(event) => setEmail(event.target.value)} />
          )}
        </Field>
        <Field label="Role" error={error?.at('/role')}>
          {(ids) => (
            <Select
              {...ids}
              value={role}
              choices={roleChoices}
              onChange={(event) => setRole(event.target.value as Role)}
            />
          )}
        </Field>
        {error !== null && !error.isAllAt(['/email', '/role']) && (
          <p className="note bad" role="alert">
            <Icon name="bad" />
            <span>{error.message}</span>
          </p>
        )}
      </form>
    </Dialog>
  );
}
