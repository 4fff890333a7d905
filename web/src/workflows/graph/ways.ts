import workflows from 'virtual:workflows';
import { atTrigger, type Graph, type Node, type Trigger, type Way } from './graph.ts';

export interface LedWay extends Way {
  readonly to: string | undefined;
  readonly needed: boolean;
}

const isTrigger = (part: Trigger | Node): part is Trigger => !('id' in part);

/** What the service says of a kind of node or trigger. */
export const kindOf = (part: Trigger | Node) =>
  (isTrigger(part) ? workflows.triggers[part.type] : workflows.nodes[part.type])!;

/** The ways out of one node or of the trigger, in the order the service has them. */
export const waysOf = (part: Trigger | Node): readonly LedWay[] =>
  kindOf(part)
    .edges.filter(({ field }) => field !== 'past' || (part.type === 'wait' && part.anchor !== undefined))
    .map(({ field, needed }) => ({
      from: isTrigger(part) ? atTrigger : part.id,
      field,
      to: (part as unknown as Readonly<Record<string, string | undefined>>)[field],
      needed,
    }));

/** Every way of a graph, the trigger's first. */
export const allWays = ({ trigger, nodes }: Graph): readonly LedWay[] => [trigger, ...nodes].flatMap(waysOf);

export const partAt = ({ trigger, nodes }: Graph, id: string): Trigger | Node | undefined =>
  id === atTrigger ? trigger : nodes.find((node) => node.id === id);

/** What a way is called where its node has more than one: "Attended". */
export const labelOfWay = (part: Trigger | Node, field: string): string | undefined =>
  kindOf(part).edges.length > 1 && field !== 'next' ? kindOf(part).fields[field]?.label : undefined;
