import { useAsk } from '../../call/use-call.ts';
import { ConditionRow } from '../../segments/condition-row.tsx';
import { conditionOn, fieldsWith } from '../../segments/condition.ts';
import '../../segments/segments.css';
import { Button } from '../../ui/button.tsx';
import type { Node } from '../graph/graph.ts';
import { toldAt } from '../model/told.ts';
import type { StepFormProps } from './step.ts';

type Split = Extract<Node, { type: 'condition_split' }>;

const mostConditions = 20;

/** As in a segment: all must hold when the run comes by. */
export function ConditionFields({ id, part, told, isLocked, onChange }: StepFormProps<Split>) {
  const fields = fieldsWith(useAsk('list_property_configs', {}).data?.property_configs ?? []);
  const { filters } = part;
  const set = (changed: Split['filters']): void => onChange({ filters: changed }, 'filters');
  return (
    <div className="field">
      <ul className="cds narrow">
        {filters.map((condition, place) => (
          <ConditionRow
            // oxlint-disable-next-line react/no-array-index-key -- A condition has no name but its place.
            key={`${place} ${filters.length}`}
            place={place}
            condition={condition}
            fields={fields}
            error={toldAt(told, id, `filters/${place}`)}
            left={undefined}
            isLocked={isLocked}
            onChange={(changed) => set(filters.with(place, changed))}
            onRemove={() => filters.length > 1 && set(filters.toSpliced(place, 1))}
          />
        ))}
      </ul>
      {!isLocked && (
        <Button
          size="s"
          icon="plus"
          unless={filters.length >= mostConditions && `A split has at most ${mostConditions} conditions.`}
          onClick={() => set([...filters, conditionOn(fields[0]!, 'gte')])}
        >
          Add a condition
        </Button>
      )}
    </div>
  );
}
