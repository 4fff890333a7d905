import { useState } from 'react';
import { useAct } from '../call/use-call.ts';
import { Field, Input } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useToast } from '../ui/toast.tsx';

const fields = [
  ['email', 'Email', 'email'],
  ['phone', 'Phone', 'tel'],
  ['external_user_id', 'Your own id of them', 'text'],
  ['first_name', 'First name', 'text'],
  ['last_name', 'Last name', 'text'],
] as const;
const blank: Readonly<Record<(typeof fields)[number][0], string>> = {
  email: '',
  phone: '',
  external_user_id: '',
  first_name: '',
  last_name: '',
};

interface NewPersonProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onMade: (person: string) => void;
}

/** Somebody by hand. Whoever is known by the address is that person: nobody is made twice. */
export function NewPerson({ open, onClose, onMade }: NewPersonProps) {
  const [person, setPerson] = useState(blank);
  const identify = useAct('identify_person', ['list_people', 'get_person']);
  const toast = useToast();
  const close = (): void => {
    setPerson(blank);
    identify.reset();
    onClose();
  };
  const add = (): void => {
    const sent = Object.entries(person)
      .map(([name, value]) => [name, value.trim()])
      .filter(([, value]) => value !== '');
    identify.mutate(Object.fromEntries(sent), {
      onSuccess: ({ person_id, created }) => {
        setPerson(blank);
        toast(created ? 'Added' : 'Was known already, and has what was new');
        onMade(person_id);
      },
    });
  };
  return (
    <FormDialog
      open={open}
      onClose={close}
      title="Add a person?"
      verb="Add"
      busy={identify.isPending && 'Adding'}
      problem={identify.error}
      fields={fields.map(([name]) => `/${name}`)}
      onSubmit={add}
    >
      <p className="muted">
        An email, a phone or your own id says who it is. Somebody who has one of them already is not made
        again.
      </p>
      {fields.map(([name, label, type]) => (
        <Field key={name} label={label} error={identify.error?.at(`/${name}`)}>
          {(ids) => (
            <Input
              {...ids}
              type={type}
              autoComplete="off"
              value={person[name]}
              onChange={({ target: { value } }) => setPerson({ ...person, [name]: value })}
            />
          )}
        </Field>
      ))}
    </FormDialog>
  );
}
