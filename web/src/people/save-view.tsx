import { useState } from 'react';
import { useAct } from '../call/use-call.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import type { Shows, View } from './view.ts';

interface SaveViewProps {
  readonly open: boolean;
  readonly taken: readonly string[];
  readonly shows: Shows;
  readonly onClose: () => void;
  readonly onSaved: (view: View) => void;
}

export function SaveView({ open, taken, shows, onClose, onSaved }: SaveViewProps) {
  const [name, setName] = useState('');
  const save = useAct('save_people_view', ['list_people_views']);
  const isTaken = taken.some((one) => one.toLowerCase() === name.trim().toLowerCase());
  const submit = (): void =>
    save.mutate(
      { name, ...shows },
      {
        onSuccess: ({ view }) => {
          setName('');
          onSaved(view);
        },
      },
    );
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Save this view?"
      footer={
        <span className="row end">
          <Button kind="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" busy={save.isPending && 'Saving'} onClick={submit}>
            Save view
          </Button>
        </span>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field
          label="Name"
          hint={
            isTaken
              ? 'A view has this name. It shows this instead from now on.'
              : 'Filters, sorting and columns are kept, and every member sees the view.'
          }
          error={save.error?.at('/name')}
        >
          {(ids) => (
            <Input {...ids} maxLength={60} value={name} onChange={(event) => setName(event.target.value)} />
          )}
        </Field>
      </form>
      {save.error !== null && !save.error.isAllAt(['/name']) && (
        <p className="note bad mt4" role="alert">
          <Icon name="bad" />
          <span>{save.error.message}</span>
        </p>
      )}
    </Dialog>
  );
}
