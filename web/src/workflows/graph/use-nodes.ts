import type { Node as FlowNode } from '@xyflow/react';
import { useMemo } from 'react';
import { atTrigger } from './graph.ts';
import type { NodeData } from './graph-node.tsx';
import type { GraphViewProps } from './graph-view-props.ts';
import type { Layout } from './layout.ts';
import { useSame } from './use-same.ts';
import { useWebinarName } from './use-webinar-name.ts';
import { partAt, waysOf } from './ways.ts';

/** What React Flow draws. Whoever chooses another node changes two of them, and the others are not rendered. */
export function useNodes(
  laid: Layout,
  { graph, selected, badge, tone, line, problem, editing, ...given }: GraphViewProps,
): FlowNode<NodeData>[] {
  const webinar = useWebinarName(graph);
  const onSelect = useSame(given.onSelect);
  const onKey = useSame(editing?.onKey);
  const isEditable = editing !== undefined;
  const nodes = useMemo(
    () =>
      [...laid.places].map(([id, { x, y, width, height }]): FlowNode<NodeData> => {
        const part = partAt(graph, id);
        return {
          id,
          type: 'step',
          position: { x, y },
          width,
          height,
          // Moved by `transform`, each would be a picture of its own that the browser puts together anew at every step.
          style: { transform: 'none', left: x, top: y },
          measured: { width, height },
          data: {
            part,
            webinar,
            isSelected: false,
            isFirst: false,
            onSelect,
            onKey,
            laid,
            badge: badge?.(id),
            tone: tone?.(id),
            line: line?.(id),
            problem: problem?.(id),
            isEditable,
            ways: part === undefined ? [] : waysOf(part),
          },
        };
      }),
    [laid, graph, webinar, onSelect, onKey, isEditable, badge, tone, line, problem],
  );
  return useMemo(() => {
    const first = selected ?? atTrigger;
    return nodes.map((node) =>
      node.id === first
        ? { ...node, data: { ...node.data, isSelected: node.id === selected, isFirst: true } }
        : node,
    );
  }, [nodes, selected]);
}
