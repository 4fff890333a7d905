import { useState } from 'react';
import { useAct } from '../call/use-call.ts';
import { Field, Input, Select } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useToast } from '../ui/toast.tsx';
import { keyFor, sayType, types, type Property } from './property.ts';

interface PropertyFormProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** undefined for one that is being added. */
  readonly property?: Property;
}

export function PropertyForm({ open, onClose, property }: PropertyFormProps) {
  const [name, setName] = useState(property?.name ?? '');
  const [ownKey, setOwnKey] = useState<string>();
  const [type, setType] = useState<Property['type']>('string');
  const [description, setDescription] = useState(property?.description ?? '');
  const create = useAct('create_property_config', ['list_property_configs']);
  const update = useAct('update_property_config', ['list_property_configs', 'get_person']);
  const toast = useToast();
  const error = create.error ?? update.error;
  const key = ownKey ?? keyFor(name);
  const submit = (): void => {
    const onSuccess = (): void => {
      onClose();
      toast(property === undefined ? `Property “${name}” added` : 'Saved');
    };
    if (property === undefined)
      create.mutate({ name, key, type, ...(description !== '' && { description }) }, { onSuccess });
    else
      update.mutate(
        { config_id: property.id, name, description: description === '' ? null : description },
        { onSuccess },
      );
  };
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={property === undefined ? 'Add a property' : `Change ${property.name}`}
      verb={property === undefined ? 'Add' : 'Save'}
      busy={(create.isPending && 'Adding') || (update.isPending && 'Saving')}
      problem={error}
      fields={['/name', '/key', '/type', '/description']}
      onSubmit={submit}
    >
      <Field label="Name" hint="As people here read it." error={error?.at('/name')}>
        {(ids) => <Input {...ids} value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      {property === undefined ? (
        <>
          <Field
            label="Key"
            hint="As programs and messages write it: letters, digits, underscores. It cannot be changed later."
            error={error?.at('/key')}
          >
            {(ids) => <Input {...ids} value={key} onChange={(event) => setOwnKey(event.target.value)} />}
          </Field>
          <Field
            label="Type"
            hint="It cannot be changed later. Keep dates as text, such as 2026-11-24."
            error={error?.at('/type')}
          >
            {(ids) => (
              <Select
                {...ids}
                value={type}
                choices={types}
                onChange={(event) => setType(event.target.value as Property['type'])}
              />
            )}
          </Field>
        </>
      ) : (
        <p className="hint">
          Its key, <span className="mono">{property.key}</span>, and its type,{' '}
          {sayType(property.type).toLowerCase()}, are fixed: programs and values depend on them.
        </p>
      )}
      <Field label="Description" error={error?.at('/description')}>
        {(ids) => (
          <Input {...ids} value={description} onChange={(event) => setDescription(event.target.value)} />
        )}
      </Field>
    </FormDialog>
  );
}
