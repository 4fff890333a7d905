import { useAsk } from '../../call/use-call.ts';
import { Field, Input, Select } from '../../ui/field.tsx';
import type { Node } from '../graph/graph.ts';
import { firstValue } from '../model/new-step.ts';
import { toldAt } from '../model/told.ts';
import type { StepFormProps } from './step.ts';

type SetProperty = Extract<Node, { type: 'set_property' }>;

export function PropertyFields({ id, part, told, isLocked, onChange }: StepFormProps<SetProperty>) {
  const properties = useAsk('list_property_configs', {}).data?.property_configs ?? [];
  const typeOf = (key: string) => properties.find((one) => one.key === key)?.type ?? 'string';
  const type = typeOf(part.key);
  const setValue = (value: string | number | boolean): void => onChange({ value }, 'value');
  return (
    <>
      <Field label="Property" error={toldAt(told, id, 'key')}>
        {(ids) => (
          <Select
            {...ids}
            disabled={isLocked}
            value={part.key}
            choices={properties.map(({ key, name }) => [key, name])}
            onChange={({ target: { value } }) =>
              onChange(
                typeOf(value) === type ? { key: value } : { key: value, value: firstValue[typeOf(value)] },
                'key',
              )
            }
          />
        )}
      </Field>
      <Field label="Value" error={toldAt(told, id, 'value')}>
        {(ids) =>
          type === 'boolean' ? (
            <Select
              {...ids}
              disabled={isLocked}
              value={String(part.value)}
              choices={[
                ['true', 'true'],
                ['false', 'false'],
              ]}
              onChange={({ target: { value } }) => setValue(value === 'true')}
            />
          ) : type === 'number' ? (
            <Input
              {...ids}
              type="number"
              step="any"
              readOnly={isLocked}
              defaultValue={String(part.value)}
              onChange={({ target: { value } }) => value !== '' && setValue(Number(value))}
            />
          ) : (
            <Input
              {...ids}
              readOnly={isLocked}
              value={String(part.value)}
              onChange={({ target: { value } }) => setValue(value)}
            />
          )
        }
      </Field>
    </>
  );
}
