import { useState } from 'react';
import { Field, Input, Select } from '../../ui/field.tsx';
import type { Node } from '../graph/graph.ts';
import { toldAt } from '../model/told.ts';
import type { StepFormProps } from './step.ts';

type Wait = Extract<Node, { type: 'wait' }>;

const sizes = { minutes: 1, hours: 60, days: 1_440 } as const;
type Unit = keyof typeof sizes;

/** The largest unit that says it without a fraction. */
const unitOf = (minutes: number): Unit =>
  minutes === 0 || minutes % 60 !== 0 ? 'minutes' : minutes % 1_440 === 0 ? 'days' : 'hours';

/** For a time, or until a moment by the webinar's clock, which moves with it. */
export function WaitFields({ id, part, told, isLocked, onChange }: StepFormProps<Wait>) {
  const { anchor, duration_minutes = 0, offset_minutes = 0 } = part;
  const minutes = anchor === undefined ? duration_minutes : Math.abs(offset_minutes);
  const [unit, setUnit] = useState(() => unitOf(minutes));
  const isBefore = anchor !== undefined && offset_minutes < 0;
  const set = (many: number, before: boolean, at = anchor): void =>
    onChange(
      at === undefined
        ? { duration_minutes: many, anchor: undefined, offset_minutes: undefined, past: undefined }
        : { duration_minutes: undefined, anchor: at, offset_minutes: before && many !== 0 ? -many : many },
      'time',
    );
  return (
    <>
      <Field label="Wait">
        {(ids) => (
          <Select
            {...ids}
            disabled={isLocked}
            value={anchor ?? ''}
            choices={[
              ['', 'for a time'],
              ['start', 'for the webinar’s start'],
              ['end', 'for the webinar’s end'],
            ]}
            onChange={({ target: { value } }) =>
              set(
                minutes,
                isBefore || value === 'start',
                value === '' ? undefined : (value as 'start' | 'end'),
              )
            }
          />
        )}
      </Field>
      <Field
        label={anchor === undefined ? 'How long' : 'How far from it'}
        error={toldAt(told, id, anchor === undefined ? 'duration_minutes' : 'offset_minutes')}
      >
        {(ids) => (
          <div className="row">
            <Input
              {...ids}
              key={unit}
              type="number"
              min={0}
              step="any"
              disabled={isLocked}
              defaultValue={minutes / sizes[unit]}
              onChange={({ target: { value } }) =>
                value !== '' && Number(value) >= 0 && set(Math.round(Number(value) * sizes[unit]), isBefore)
              }
            />
            <Select
              aria-label="Unit"
              disabled={isLocked}
              value={unit}
              choices={[
                ['minutes', 'minutes'],
                ['hours', 'hours'],
                ['days', 'days'],
              ]}
              onChange={({ target: { value } }) => setUnit(value as Unit)}
            />
            {anchor !== undefined && (
              <Select
                aria-label="Before or after"
                disabled={isLocked}
                value={isBefore ? 'before' : 'after'}
                choices={[
                  ['before', 'before'],
                  ['after', 'after'],
                ]}
                onChange={({ target: { value } }) => set(minutes, value === 'before')}
              />
            )}
          </div>
        )}
      </Field>
    </>
  );
}
