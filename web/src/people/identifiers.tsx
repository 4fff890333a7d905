import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct, useAsk, useOrg } from '../call/use-call.ts';
import type { Input as InputOf } from '../call/types.ts';
import { useWhyNot } from '../frame/me.ts';
import { Failed, Skeleton } from '../ui/blank.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox, Field, Input, Select } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';

type Type = InputOf<'add_identifier'>['identifier_type'];

const labels: Readonly<Record<Type, string>> = {
  email: 'Email',
  phone: 'Phone',
  org_assigned_user_id: 'External id',
  user_id: 'User id',
  anonymous_id: 'Anonymous id',
  payment_customer_id: 'Payment customer',
  full_name: 'Full name',
  messenger: 'Messenger',
  chat: 'Chat',
  chat_channel: 'Chat channel',
  chat_user_id: 'Chat user',
};

export function Identifiers({ id }: { readonly id: string }) {
  const asked = useAsk('list_identifiers', { person_id: id });
  const remove = useAct('remove_identifier', ['list_identifiers', 'get_person', 'list_people']);
  const whyNot = useWhyNot()('remove_identifier');
  if (asked.error !== null)
    return <Failed problem={asked.error} what="the identifiers" retry={() => void asked.refetch()} />;
  if (asked.data === undefined) return <Skeleton rows={5} />;
  return (
    <section>
      <table className="tbl tight small">
        <tbody>
          {asked.data.identifiers.map((identifier) => (
            <tr key={identifier.id}>
              <th scope="row">{labels[identifier.identifier_type]}</th>
              <td className="ellipsis mono">{identifier.identifier_value}</td>
              <td className="num">
                {identifier.is_primary_for_type && <span className="pill plain">Primary</span>}
                {!identifier.is_contact_method && <span className="hint"> not written to</span>}
              </td>
              <td className="num">
                <Button
                  kind="ghost"
                  size="s"
                  icon="trash"
                  aria-label={`Remove ${identifier.identifier_value}`}
                  unless={whyNot}
                  onClick={() => remove.mutate({ person_id: id, identifier_id: identifier.id })}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {remove.error !== null && (
        <p className="err" role="alert">
          {remove.error.message}
        </p>
      )}
      <AddIdentifier id={id} />
    </section>
  );
}

function AddIdentifier({ id }: { readonly id: string }) {
  const org = useOrg();
  const whyNot = useWhyNot()('add_identifier');
  const add = useAct('add_identifier', ['list_identifiers', 'get_person', 'list_people']);
  const [type, setType] = useState<Type>('email');
  const [value, setValue] = useState('');
  const [isReached, setReached] = useState(true);
  const conflict = add.data?.has_conflict === true ? add.data : undefined;
  return (
    <form
      className="col g3 mt4"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate(
          {
            person_id: id,
            identifier_type: type,
            identifier_value: value,
            is_contact_method: isReached && (type === 'email' || type === 'phone'),
          },
          { onSuccess: ({ has_conflict }) => !has_conflict && setValue('') },
        );
      }}
    >
      <div className="row top g3">
        <Field label="Kind">
          {(ids) => (
            <Select
              {...ids}
              value={type}
              choices={Object.entries(labels)}
              onChange={(event) => setType(event.target.value as Type)}
            />
          )}
        </Field>
        <div className="grow">
          <Field label="Value" error={add.error?.errors[0]?.detail ?? add.error?.message}>
            {(ids) => (
              <Input {...ids} required value={value} onChange={(event) => setValue(event.target.value)} />
            )}
          </Field>
        </div>
      </div>
      {(type === 'email' || type === 'phone') && (
        <Checkbox
          label="May be written to"
          checked={isReached}
          onChange={(event) => setReached(event.target.checked)}
        />
      )}
      {conflict !== undefined && (
        <p className="note warn" role="alert">
          <Icon name="warning" />
          <span>
            {conflict.details}{' '}
            {conflict.existing_org_user_id !== null && (
              <Link
                className="link"
                to="/o/$org/people/$person"
                params={{ org, person: conflict.existing_org_user_id }}
              >
                See that person
              </Link>
            )}
          </span>
        </p>
      )}
      <span>
        <Button type="submit" size="s" icon="plus" unless={whyNot} busy={add.isPending && 'Adding'}>
          Add identifier
        </Button>
      </span>
    </form>
  );
}
