import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import type { Graph, Node, Trigger, Way } from '../graph/graph.ts';
import { kindOf, waysOf } from '../graph/ways.ts';
import { titleOf } from '../graph/words.ts';
import { toldAt, type Told } from '../model/told.ts';

interface WayFieldsProps {
  readonly id: string;
  readonly part: Trigger | Node;
  readonly graph: Graph;
  readonly told: readonly Told[];
  readonly isLocked: boolean;
  readonly onLead: (way: Way, to: string | undefined) => void;
  readonly onAdd: (way: Way) => void;
}

/** Where each way out of a step leads: to a step that is there, to a new one, or nowhere yet. */
export const WayFields = ({ id, part, graph, told, isLocked, onLead, onAdd }: WayFieldsProps) =>
  waysOf(part).map((way) => (
    <Field key={way.field} label={kindOf(part).fields[way.field]!.label} error={toldAt(told, id, way.field)}>
      {(ids) => (
        <div className="row">
          <Select
            {...ids}
            disabled={isLocked}
            value={way.to ?? ''}
            choices={[
              ['', way.needed ? 'Nowhere yet' : 'At once, as above'],
              ...graph.nodes.map((node) => [node.id, nameOf(node)] as const),
            ]}
            onChange={({ target: { value } }) => onLead(way, value === '' ? undefined : value)}
          />
          {!isLocked && (
            <Button
              icon="plus"
              aria-label={`Add a step: ${kindOf(part).fields[way.field]!.label}`}
              onClick={() => onAdd(way)}
            />
          )}
        </div>
      )}
    </Field>
  ));

const nameOf = (node: Node): string =>
  node.type === 'end' ? node.id : `${node.id}: ${titleOf(node).slice(0, 40)}`;
