import { Graph as Drawing, layout, type EdgeLabel, type GraphLabel, type NodeLabel } from '@dagrejs/dagre';
import { atTrigger, type Graph } from './graph.ts';
import { pathThrough, type Point } from './path.ts';
import { allWays, labelOfWay, partAt, type LedWay } from './ways.ts';

export interface Place extends Point {
  readonly width: number;
  readonly height: number;
}

export interface DrawnWay extends LedWay {
  /** The place on the canvas it leads to. */
  readonly end: string;
  readonly label: string | undefined;
  readonly path: string;
  /** Where the label and the button that adds a step stand. */
  readonly middle: Point;
}

export interface Layout {
  /** By node, with the trigger and the open ends: the top left corner. */
  readonly places: ReadonlyMap<string, Place>;
  readonly ways: readonly DrawnWay[];
}

const card = { width: 232, height: 76 };
const pill = { width: 88, height: 32 };
const labelHeight = 24;
const letterWidth = 6.2;

/** A way that a run needs and that leads nowhere has an end of its own. */
const endOf = ({ from, field, to }: LedWay): string => to ?? `open ${from} ${field}`;

/** Places for a graph, which itself has none: from top to bottom, by what leads where. */
export function layoutOf(graph: Graph): Layout {
  const drawing = new Drawing<GraphLabel, NodeLabel, EdgeLabel>({ multigraph: true });
  drawing.setGraph({ rankdir: 'TB', nodesep: 44, ranksep: 28, edgesep: 20 });
  drawing.setNode(atTrigger, { ...card });
  for (const { id, type } of graph.nodes) drawing.setNode(id, type === 'end' ? { ...pill } : { ...card });
  const ways = allWays(graph).filter(({ to, needed }) => to !== undefined || needed);
  const labelOf = ({ from, field }: LedWay): string | undefined => labelOfWay(partAt(graph, from)!, field);
  for (const way of ways) {
    const end = endOf(way);
    if (way.to === undefined) drawing.setNode(end, { ...pill });
    const width = 28 + (labelOf(way)?.length ?? 0) * letterWidth;
    drawing.setEdge(way.from, end, { width, height: labelHeight, labelpos: 'c' }, way.field);
  }
  layout(drawing);
  const halfAt = halvesOf(drawing);
  return {
    places: new Map(
      drawing.nodes().map((id: string) => {
        const { x = 0, y = 0, width, height } = drawing.node(id);
        return [id, { x: x - width / 2, y: y - height / 2, width, height }];
      }),
    ),
    ways: ways.map((way) => {
      const end = endOf(way);
      const { points = [], x = 0, y = 0 } = drawing.edge(way.from, end, way.field);
      const ends = tied(points, drawing.node(way.from), drawing.node(end));
      return { ...way, end, label: labelOf(way), path: pathThrough(ends, halfAt), middle: { x, y } };
    }),
  };
}

/** From the middle of the lower edge to the middle of the upper one, unless it leads back. */
function tied(points: readonly Point[], from: NodeLabel, to: NodeLabel): readonly Point[] {
  const [begin, finish] = [
    { x: from.x ?? 0, y: (from.y ?? 0) + from.height / 2 },
    { x: to.x ?? 0, y: (to.y ?? 0) - to.height / 2 },
  ];
  return finish.y > begin.y ? [begin, ...points.slice(1, -1), finish] : points;
}

/** How far the row at a height reaches up and down; 0 where a line begins or ends. */
function halvesOf(drawing: Drawing<GraphLabel, NodeLabel, EdgeLabel>): (y: number) => number {
  const halves = new Map<number, number>();
  const note = (y = 0, height = 0): void => {
    halves.set(y, Math.max(halves.get(y) ?? 0, height / 2));
  };
  for (const id of drawing.nodes()) note(drawing.node(id).y, drawing.node(id).height);
  for (const edge of drawing.edges()) note(drawing.edge(edge).y, labelHeight);
  return (y) => halves.get(y) ?? 0;
}
