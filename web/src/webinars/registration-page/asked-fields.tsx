import type { Input as InputOf } from '../../call/types.ts';
import { useAsk } from '../../call/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Select } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';

export type AskedField = NonNullable<InputOf<'update_registration_page'>['fields']>[number];

const builtIns = [
  ['full_name', 'Full name'],
  ['first_name', 'First name'],
  ['last_name', 'Last name'],
  ['email', 'Email address'],
  ['phone', 'Phone number'],
] as const;

interface AskedFieldsProps {
  readonly fields: readonly AskedField[];
  readonly onChange: (fields: readonly AskedField[]) => void;
  readonly error?: string | undefined;
}

const nameOf = ({ field, property }: AskedField): string => field ?? `property ${property}`;

/** What the page asks, in order. */
export function AskedFields({ fields, onChange, error }: AskedFieldsProps) {
  const configs = useAsk('list_property_configs', {}).data?.property_configs ?? [];
  const choices: (readonly [AskedField, string])[] = [
    ...builtIns.map(([field, label]) => [{ field }, label] as const),
    ...configs.map(({ key, name }) => [{ property: key }, name] as const),
  ];
  const labels = new Map(choices.map(([one, label]) => [nameOf(one), label]));
  const labelOf = (one: AskedField): string => one.label ?? labels.get(nameOf(one)) ?? nameOf(one);
  const isAsked = (one: AskedField): boolean => fields.some((other) => nameOf(other) === nameOf(one));
  const left = choices.filter(([one]) => !isAsked(one));
  const move = (at: number, to: number): void => {
    const [moved, ...others] = [fields[at]!, ...fields.filter((_, other) => other !== at)];
    onChange(others.toSpliced(to, 0, moved));
  };
  return (
    <fieldset className="rgp-fields">
      <legend className="label">Fields</legend>
      <ul className="list">
        {fields.map((one, at) => (
          <li key={nameOf(one)}>
            <span className="grow">{labelOf(one)}</span>
            <Checkbox
              label="Required"
              aria-label={`${labelOf(one)} is required`}
              checked={one.required === true}
              onChange={({ target }) => onChange(fields.with(at, { ...one, required: target.checked }))}
            />
            <Button
              kind="ghost"
              size="s"
              icon="up"
              aria-label={`Move ${labelOf(one)} up`}
              unless={at === 0 && 'It is the first.'}
              onClick={() => move(at, at - 1)}
            />
            <Button
              kind="ghost"
              size="s"
              icon="trash"
              aria-label={`Do not ask for ${labelOf(one)}`}
              onClick={() => onChange(fields.filter((_, other) => other !== at))}
            />
          </li>
        ))}
      </ul>
      {left.length > 0 && (
        <Select
          aria-label="Ask for another field"
          value=""
          choices={[
            ['', 'Ask for another field…'],
            ...left.map(([one, label]) => [nameOf(one), label] as const),
          ]}
          onChange={({ target }) => {
            const added = left.find(([one]) => nameOf(one) === target.value)?.[0];
            if (added !== undefined) onChange([...fields, { ...added, required: false }]);
          }}
        />
      )}
      {error !== undefined && (
        <p className="err" role="alert">
          <Icon name="bad" small />
          {error}
        </p>
      )}
    </fieldset>
  );
}
