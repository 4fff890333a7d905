import workflows from 'virtual:workflows';
import { useAsk } from '../../call/use-call.ts';
import { Button } from '../../ui/button.tsx';
import type { Graph, Node, NodeType, Way } from '../graph/graph.ts';
import { labelOfWay, partAt, waysOf } from '../graph/ways.ts';
import { iconOf, titleOf } from '../graph/words.ts';
import { newStep } from '../model/new-step.ts';
import { Rail } from './rail.tsx';

interface AddRailProps {
  readonly graph: Graph;
  readonly way: Way;
  readonly takesFocus: boolean;
  readonly onChoose: (step: Node) => void;
  readonly onClose: () => void;
}

/** Which kind of step comes on a way. */
export function AddRail({ graph, way, takesFocus, onChoose, onClose }: AddRailProps) {
  const properties = useAsk('list_property_configs', {}).data?.property_configs ?? [];
  const from = partAt(graph, way.from);
  const isOpen =
    from !== undefined && waysOf(from).find(({ field }) => field === way.field)?.to === undefined;
  const branch = from && labelOfWay(from, way.field);
  const whyNot = (type: string): string | false =>
    graph.nodes.length >= workflows.mostNodes
      ? `A workflow has at most ${workflows.mostNodes} steps.`
      : type === 'set_property' && properties.length === 0 && 'There is no property yet. Make one first.';
  return (
    <Rail
      icon="plus"
      kind={`After ${from === undefined ? way.from : titleOf(from)}${branch === undefined ? '' : `, ${branch}`}`}
      title="Add a step"
      takesFocus={takesFocus}
      onClose={onClose}
    >
      <section className="kinds">
        {Object.entries(workflows.nodes)
          .filter(([type]) => type !== 'end' || isOpen)
          .map(([type, { label }]) => (
            <Button
              key={type}
              icon={iconOf({ type: type as NodeType })}
              unless={whyNot(type)}
              onClick={() => onChoose(newStep(graph, type as NodeType, properties))}
            >
              {label}
            </Button>
          ))}
      </section>
    </Rail>
  );
}
