import { Button } from '../ui/button.tsx';
import { Input, Select } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { count } from '../format/number.ts';
import { conditionOn, fieldIdOf, operatorsFor, wordsOf, type FilterField, type Sent } from './condition.ts';

interface ConditionRowProps {
  readonly place: number;
  readonly condition: Sent;
  readonly fields: readonly FilterField[];
  readonly error: string | undefined;
  /** How many are left after this condition, once that is known. */
  readonly left: number | undefined;
  readonly isLocked: boolean;
  readonly onChange: (condition: Sent) => void;
  readonly onRemove: () => void;
}

export function ConditionRow({
  place,
  condition,
  fields,
  error,
  left,
  isLocked,
  onChange,
  onRemove,
}: ConditionRowProps) {
  const known = fields.find(({ id }) => id === fieldIdOf(condition));
  const field: FilterField = known ?? {
    id: fieldIdOf(condition),
    label: fieldIdOf(condition),
    kind: 'text',
    choices: [],
  };
  const choices = known === undefined ? [field, ...fields] : fields;
  const at = `condition ${place + 1}`;
  return (
    <li className="cd">
      <span className="and">{place === 0 ? 'People whose' : 'and'}</span>
      <Select
        size="s"
        aria-label={`Field of ${at}`}
        disabled={isLocked}
        value={field.id}
        choices={choices.map(({ id, label }) => [id, label])}
        onChange={(event) =>
          onChange(
            conditionOn(
              fields.find(({ id }) => id === event.target.value)!,
              condition.op,
              condition,
            ),
          )
        }
      />
      <Select
        size="s"
        aria-label={`Comparison of ${at}`}
        disabled={isLocked}
        value={condition.op}
        choices={operatorsFor(field).map((op) => [op, wordsOf(op, field.kind)])}
        onChange={(event) => onChange(conditionOn(field, event.target.value, condition))}
      />
      <Value
        condition={condition}
        field={field}
        label={`Value of ${at}`}
        isWrong={error !== undefined}
        isLocked={isLocked}
        onChange={onChange}
      />
      <span className="num cc">{left === undefined ? '' : count(left)}</span>
      {!isLocked && (
        <Button kind="ghost" size="s" icon="close" aria-label={`Remove ${at}`} onClick={onRemove} />
      )}
      {error !== undefined && (
        <p className="err" role="alert">
          <Icon name="bad" small />
          {error}
        </p>
      )}
    </li>
  );
}

interface ValueProps extends Pick<ConditionRowProps, 'condition' | 'isLocked' | 'onChange'> {
  readonly field: FilterField;
  readonly label: string;
  readonly isWrong: boolean;
}

/** The right control for what is asked. */
function Value({ condition, field, label, isWrong, isLocked, onChange }: ValueProps) {
  const common = {
    'aria-label': label,
    'aria-invalid': isWrong || undefined,
    disabled: isLocked,
    size: 's',
  } as const;
  const { value, values } = condition;
  const set = (changed: Partial<Sent>): void => onChange({ ...condition, ...changed });
  if (condition.op === 'is_empty' || condition.op === 'is_not_empty') return <span />;
  if (condition.op === 'in' && field.choices.length > 0)
    return (
      <fieldset className="ticks" disabled={isLocked}>
        <legend className="vh">{label}</legend>
        {field.choices.map((choice) => (
          <label key={choice} className={values?.includes(choice) ? 'tag on' : 'tag'}>
            <input
              type="checkbox"
              className="vh"
              checked={values?.includes(choice) ?? false}
              onChange={(event) =>
                set({
                  values: event.target.checked
                    ? [...(values ?? []), choice]
                    : (values ?? []).filter((one) => one !== choice),
                })
              }
            />
            {choice.replaceAll('_', ' ')}
          </label>
        ))}
      </fieldset>
    );
  if (condition.op === 'in')
    return (
      <Input
        {...common}
        placeholder="one, two, three"
        defaultValue={values?.join(', ')}
        onChange={(event) =>
          set({
            values: event.target.value
              .split(',')
              .map((one) => one.trim())
              .filter((one) => one !== ''),
          })
        }
      />
    );
  if (field.kind === 'fixed')
    return (
      <Select
        {...common}
        value={String(value)}
        choices={field.choices.map((choice) => [choice, choice.replaceAll('_', ' ')])}
        onChange={(event) => set({ value: event.target.value })}
      />
    );
  if (field.kind === 'boolean')
    return (
      <Select
        {...common}
        value={String(value)}
        choices={[
          ['true', 'true'],
          ['false', 'false'],
        ]}
        onChange={(event) => set({ value: event.target.value === 'true' })}
      />
    );
  if (field.kind === 'number')
    return (
      <Input
        {...common}
        type="number"
        step="any"
        defaultValue={value as number}
        onChange={(event) =>
          set({ value: event.target.value === '' ? undefined : Number(event.target.value) })
        }
      />
    );
  return (
    <Input
      {...common}
      placeholder={field.kind === 'date' ? 'now-30d or 2026-01-31' : ''}
      defaultValue={value as string}
      onChange={(event) => set({ value: event.target.value })}
    />
  );
}
