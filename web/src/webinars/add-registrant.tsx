import { useState } from 'react';
import { useAct } from '../call/use-call.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';
import { useToast } from '../ui/toast.tsx';
import type { Webinar } from './state.tsx';

const blank = { email: '', first_name: '', last_name: '', phone: '' };
const labels = [
  ['email', 'Email', 'email'],
  ['first_name', 'First name', 'text'],
  ['last_name', 'Last name', 'text'],
  ['phone', 'Phone', 'tel'],
] as const;

interface AboutWebinar {
  readonly webinar: Webinar;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Somebody who is known by the address is that person; nobody is made twice. */
export function AddRegistrant({ webinar, open, onClose }: AboutWebinar) {
  const [user, setUser] = useState(blank);
  const register = useAct('register_for_webinar', ['list_registrations', 'get_webinar_link']);
  const toast = useToast();
  const problem = register.error;
  const missing = user.email === '' && user.phone === '' ? 'Give an email or a phone.' : undefined;
  const close = (): void => {
    setUser(blank);
    register.reset();
    onClose();
  };
  const add = (): void =>
    register.mutate(
      {
        webinar_id: webinar.id,
        user: Object.fromEntries(Object.entries(user).filter(([, value]) => value !== '')),
      },
      {
        onSuccess: ({ already_registered }) => {
          toast(already_registered ? 'Was registered already' : 'Registered');
          close();
        },
      },
    );
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Add a registrant"
      footer={
        <span className="row end">
          <Button kind="ghost" onClick={close}>
            Cancel
          </Button>
          <Button kind="primary" unless={missing} busy={register.isPending && 'Adding'} onClick={add}>
            Add
          </Button>
        </span>
      }
    >
      <form
        className="col g4"
        onSubmit={(event) => {
          event.preventDefault();
          if (missing === undefined && !register.isPending) add();
        }}
      >
        <p className="muted">
          Workflows that wait for registrations begin at once, and may write to this person.
        </p>
        {labels.map(([name, label, type]) => (
          <Field key={name} label={label} error={problem?.at(`/user/${name}`)}>
            {(ids) => (
              <Input
                {...ids}
                type={type}
                value={user[name]}
                onChange={(event) => setUser({ ...user, [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
        {problem !== null && !problem.isAllAt(labels.map(([name]) => `/user/${name}`)) && (
          <p className="err" role="alert">
            {problem.message}
          </p>
        )}
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </form>
    </Dialog>
  );
}
