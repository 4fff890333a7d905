import workflows from 'virtual:workflows';
import { useAsk } from '../../call/use-call.ts';
import { Field, Input, Select } from '../../ui/field.tsx';
import type { Trigger } from '../graph/graph.ts';
import { toldAt } from '../model/told.ts';
import type { StepFormProps } from './step.ts';

/** What begins a run: a registration, or an event. */
export function TriggerFields({ id, part, told, isLocked, onChange }: StepFormProps<Trigger>) {
  const webinars = useAsk('list_webinars', { limit: 200 }).data?.webinars ?? [];
  return (
    <>
      <Field label="Begins when" error={toldAt(told, id, 'type')}>
        {(ids) => (
          <Select
            {...ids}
            disabled={isLocked}
            value={part.type}
            choices={Object.entries(workflows.triggers).map(([type, { label }]) => [type, label])}
            onChange={({ target: { value } }) =>
              onChange(
                value === 'event'
                  ? { type: value, event_name: 'signed_up', webinar_id: undefined }
                  : { type: value, event_name: undefined, webinar_id: null },
                'type',
              )
            }
          />
        )}
      </Field>
      {part.type === 'event' ? (
        <Field label="Event" error={toldAt(told, id, 'event_name')}>
          {(ids) => (
            <Input
              {...ids}
              readOnly={isLocked}
              value={part.event_name}
              onChange={({ target: { value } }) => onChange({ event_name: value }, 'event_name')}
            />
          )}
        </Field>
      ) : (
        <Field label="Only for" error={toldAt(told, id, 'webinar_id')}>
          {(ids) => (
            <Select
              {...ids}
              disabled={isLocked}
              value={part.webinar_id ?? ''}
              choices={[['', 'Any webinar'], ...webinars.map((one) => [one.id, one.title] as const)]}
              onChange={({ target: { value } }) =>
                onChange({ webinar_id: value === '' ? null : value }, 'webinar_id')
              }
            />
          )}
        </Field>
      )}
    </>
  );
}
