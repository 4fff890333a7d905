import type { Fields } from '../model/edits.ts';
import type { Told } from '../model/told.ts';
import type { Graph, Node, Trigger } from '../graph/graph.ts';

/** What a field of a step's form needs. */
export interface StepFormProps<Part extends Trigger | Node = Trigger | Node> {
  readonly id: string;
  readonly part: Part;
  readonly graph: Graph;
  readonly told: readonly Told[];
  readonly isLocked: boolean;
  /** `about` names the field: its letters are undone together. */
  readonly onChange: (fields: Fields, about: string) => void;
}
