import {
  ReactFlow,
  useReactFlow,
  useStoreApi,
  type Connection,
  type Edge as FlowEdge,
  type Node as FlowNode,
  type ReactFlowInstance,
} from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { useEffect, useMemo, useRef, type RefObject } from 'react';
import { glide, showDetail, zoomFrom, zoomTo } from './glide.ts';
import { atTrigger } from './graph.ts';
import { GraphNode, type NodeData } from './graph-node.tsx';
import type { GraphViewProps } from './graph-view-props.ts';
import { GraphWays, HeldWay, type WayData } from './graph-ways.tsx';
import { layoutOf, type Layout } from './layout.ts';
import { useNodes } from './use-nodes.ts';
import { useSame } from './use-same.ts';
import { Zoom } from './zoom.tsx';
import './graph-view.css';

const nodeTypes = { step: GraphNode };
const edgeTypes = { way: HeldWay };
const noEdges: FlowEdge<WayData>[] = [];

/** A workflow as a picture. Places are worked out from the graph: nobody puts nodes anywhere. */
export function GraphView(props: GraphViewProps) {
  const { graph, label, edgeTone, editing } = props;
  const laid = useMemo(() => layoutOf(graph), [graph]);
  const nodes = useNodes(laid, props);
  const onAdd = useSame(editing?.onAdd);
  const box = useRef<HTMLDivElement>(null);
  return (
    <div className="graph" ref={box} role="group" aria-label={label}>
      <ReactFlow
        nodes={nodes}
        defaultEdges={noEdges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onInit={(flow) => void settle(flow, laid, box.current)}
        onConnect={({ source, sourceHandle, target }: Connection) =>
          editing?.onConnect({ from: source, field: sourceHandle ?? 'next' }, target)
        }
        onReconnect={({ data }, { target }) => data && editing?.onConnect(data.way, target)}
        nodesDraggable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        nodesConnectable={editing !== undefined}
        edgesReconnectable={editing !== undefined}
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        zoomOnDoubleClick={false}
        minZoom={zoomFrom}
        maxZoom={zoomTo}
        proOptions={{ hideAttribution: true }}
      >
        <Zoom />
        <Glide box={box} />
        <GraphWays laid={laid} tone={edgeTone} onAdd={editing && onAdd} adding={editing?.adding} />
      </ReactFlow>
    </div>
  );
}

function Glide({ box }: { readonly box: RefObject<HTMLElement | null> }) {
  const flow = useReactFlow();
  const store = useStoreApi();
  useEffect(() => {
    const element = box.current!; // the store tells once more when the box is gone
    const show = (): void => showDetail(element, store.getState().transform[2]);
    show();
    return store.subscribe(show);
  }, [box, store]);
  useEffect(() => glide(box.current!, flow), [box, flow]);
  return null;
}

/** The whole graph if it can be read that way, else its beginning. */
async function settle(
  flow: ReactFlowInstance<FlowNode<NodeData>, FlowEdge<WayData>>,
  { places }: Layout,
  box: HTMLElement | null,
): Promise<void> {
  const all = [...places.values()];
  const [width, height] = [box?.clientWidth ?? 0, box?.clientHeight ?? 0];
  const right = Math.max(...all.map((place) => place.x + place.width));
  const bottom = Math.max(...all.map((place) => place.y + place.height));
  const zoom = Math.min(1, Math.max(0.7, Math.min((width - 48) / right, (height - 48) / bottom)));
  const { x, width: wide } = places.get(atTrigger)!;
  const left = right * zoom <= width - 48 ? (width - right * zoom) / 2 : width / 2 - (x + wide / 2) * zoom;
  await flow.setViewport({ x: left, y: 24, zoom });
}
