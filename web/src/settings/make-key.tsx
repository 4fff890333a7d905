import { useState } from 'react';
import { useAct } from '../call/use-call.ts';
import { useMe } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox, Field, Input } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { sayPermission } from './permission-words.ts';

interface MakeKeyProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onMade: (key: { name: string; secret: string }) => void;
}

export function MakeKey({ open, onClose, onMade }: MakeKeyProps) {
  const { permissions } = useMe();
  const [name, setName] = useState('');
  const [given, setGiven] = useState<ReadonlySet<string>>(new Set());
  const make = useAct('create_api_key', ['list_api_keys']);
  const submit = (): void =>
    make.mutate(
      { name, permissions: permissions.filter((one) => given.has(one)) },
      {
        onSuccess: ({ api_key, secret }) => {
          setName('');
          setGiven(new Set());
          if (secret !== null) onMade({ name: api_key.name, secret });
        },
      },
    );
  const { error } = make;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Make a key"
      footer={
        <span className="row end">
          <Button kind="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" busy={make.isPending && 'Making'} onClick={submit}>
            Make the key
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
        <Field label="What it is for" hint="Such as “Website forms”." error={error?.at('/name')}>
          {(ids) => <Input {...ids} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <fieldset className="plain">
          <legend className="label">It may</legend>
          {permissions.map((permission) => (
            <Checkbox
              key={permission}
              checked={given.has(permission)}
              onChange={(event) => {
                const next = new Set(given);
                if (event.target.checked) next.add(permission);
                else next.delete(permission);
                setGiven(next);
              }}
              label={
                <>
                  {sayPermission(permission)} <span className="hint mono">{permission}</span>
                </>
              }
            />
          ))}
        </fieldset>
        {error !== null && error.at('/name') === undefined && (
          <p className="note bad" role="alert">
            <Icon name="bad" />
            <span>
              {error.at('/permissions') === undefined
                ? error.message
                : 'Choose at least one thing it may do.'}
            </span>
          </p>
        )}
      </form>
    </Dialog>
  );
}
