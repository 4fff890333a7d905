import type { KeyboardEvent, ReactNode } from 'react';
import type { Graph, Tone, Way } from './graph.ts';

interface Editing {
  /** Where a step is being added. */
  readonly adding?: Way | undefined;
  readonly onAdd: (way: Way) => void;
  readonly onConnect: (way: Way, to: string) => void;
  readonly onKey: (id: string, event: KeyboardEvent) => void;
}

export interface GraphViewProps {
  readonly graph: Graph;
  readonly label: string;
  readonly selected?: string | undefined;
  readonly onSelect?: (id: string) => void;
  /** Stands beside a node: who is there. */
  readonly badge?: (id: string) => ReactNode;
  readonly tone?: (id: string) => Tone | undefined;
  readonly edgeTone?: (way: Way) => Tone | undefined;
  /** The third line of a node: what happened there. */
  readonly line?: (id: string) => ReactNode;
  /** What is wrong with a node, in place of its third line. */
  readonly problem?: (id: string) => string | undefined;
  /** Without it the graph is only looked at. */
  readonly editing?: Editing;
}
