import platforms from 'virtual:platforms';
import { useState } from 'react';
import { useAct } from '../call/use-call.ts';
import type { Input as InputOf } from '../call/types.ts';
import { Field, Input, Select } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useToast } from '../ui/toast.tsx';

type Sent = InputOf<'connect_platform'>;

interface ConnectPlatformProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** An account that gets other credentials. */
  readonly again?: { readonly platform: string; readonly account_id: string };
}

/** Which fields there are, the platform's own declaration says. */
export function ConnectPlatform({ open, onClose, again }: ConnectPlatformProps) {
  const [platform, setPlatform] = useState(again?.platform ?? platforms[0]!.name);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({
    ...(again !== undefined && { account_id: again.account_id }),
  });
  const connect = useAct('connect_platform', ['list_platform_connections']);
  const toast = useToast();
  const { error } = connect;
  const { label, fields } = platforms.find(({ name }) => name === platform)!;
  const submit = (): void => {
    const credentials = Object.fromEntries(fields.map(({ name }) => [name, typed[name] ?? '']));
    connect.mutate({ platform, ...credentials } as Sent, {
      onSuccess: () => {
        onClose();
        toast(`${label} is connected`);
      },
    });
  };
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={again === undefined ? 'Connect a platform' : `Connect ${label} again`}
      verb="Connect"
      busy={connect.isPending && 'Connecting'}
      problem={error}
      fields={fields.map(({ name }) => `/${name}`)}
      onSubmit={submit}
    >
      {again === undefined && (
        <Field label="Platform">
          {(ids) => (
            <Select
              {...ids}
              value={platform}
              choices={platforms.map((one) => [one.name, one.label] as const)}
              onChange={(event) => setPlatform(event.target.value)}
            />
          )}
        </Field>
      )}
      {fields.map(({ name, label: called, secret, words }) => (
        <Field
          key={name}
          label={called}
          hint={secret ? `${words} Kept sealed, and never shown again.`.trim() : words}
          error={error?.at(`/${name}`)}
        >
          {(ids) => (
            <Input
              {...ids}
              type={secret ? 'password' : 'text'}
              autoComplete="off"
              readOnly={again !== undefined && name === 'account_id'}
              value={typed[name] ?? ''}
              onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
            />
          )}
        </Field>
      ))}
    </FormDialog>
  );
}
