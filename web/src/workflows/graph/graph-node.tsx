import { Handle, Position, useReactFlow, type Node as FlowNode, type NodeProps } from '@xyflow/react';
import type { KeyboardEvent, ReactNode } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { atTrigger, type Node, type Tone, type Trigger } from './graph.ts';
import type { Layout } from './layout.ts';
import { nextTo } from './next-to.ts';
import { kindOf, type LedWay } from './ways.ts';
import { iconOf, titleOf } from './words.ts';

export interface NodeData extends Record<string, unknown> {
  /** Undefined for the open end of a way. */
  readonly part: Trigger | Node | undefined;
  readonly webinar: string | undefined;
  readonly isSelected: boolean;
  /** The one that Tab reaches; arrows go on from there. */
  readonly isFirst: boolean;
  readonly onSelect: (id: string) => void;
  readonly onKey: (id: string, event: KeyboardEvent) => void;
  readonly laid: Layout;
  readonly badge: ReactNode;
  readonly tone: Tone | undefined;
  readonly line: ReactNode;
  readonly problem: string | undefined;
  readonly isEditable: boolean;
  readonly ways: readonly LedWay[];
}

export function GraphNode({ id, data }: NodeProps<FlowNode<NodeData>>) {
  const { part, ways, isEditable, badge } = data;
  return (
    <>
      {id !== atTrigger && <Handle type="target" position={Position.Top} isConnectableStart={false} />}
      {part === undefined ? (
        <span className="nd open">Nothing yet</span>
      ) : (
        <Step id={id} {...data} part={part} />
      )}
      {badge !== undefined && badge !== null && <div className="beside">{badge}</div>}
      {ways.map(({ field }, at) => (
        <Handle
          key={field}
          id={field}
          type="source"
          position={Position.Bottom}
          isConnectable={isEditable}
          isConnectableEnd={false}
          style={{ left: `${((at + 1) * 100) / (ways.length + 1)}%` }}
        />
      ))}
    </>
  );
}

type StepProps = NodeData & { readonly id: string; readonly part: Trigger | Node };

function Step({
  id,
  part,
  webinar,
  isSelected,
  isFirst,
  onSelect,
  onKey,
  laid,
  tone,
  line,
  problem,
}: StepProps) {
  const walk = useWalk(laid);
  const look = [
    'nd',
    part.type === 'end' && 'end',
    tone,
    problem !== undefined && 'bad',
    isSelected && 'sel',
  ];
  return (
    <button
      type="button"
      className={look.filter(Boolean).join(' ')}
      data-step={id}
      tabIndex={isFirst ? 0 : -1}
      aria-pressed={isSelected}
      onClick={() => onSelect(id)}
      onKeyDown={(event) => walk(id, event) || onKey(id, event)}
    >
      <span className="nh">
        <Icon name={iconOf(part)} small />
        {kindOf(part).label}
      </span>
      {part.type !== 'end' && <b className="nt">{titleOf(part, webinar)}</b>}
      {problem !== undefined ? (
        <span className="nc red">
          <Icon name="bad" small />
          <span className="ellipsis">{problem}</span>
        </span>
      ) : (
        part.type !== 'end' && <span className="nc">{line}</span>
      )}
    </button>
  );
}

/** Arrow keys go to the nearest node that way; tells whether this was one. */
function useWalk(laid: Layout): (id: string, event: KeyboardEvent) => boolean {
  const { setCenter, getZoom } = useReactFlow();
  return (id, event) => {
    const to = nextTo(laid, id, event.key);
    if (to === undefined) return false;
    event.preventDefault();
    const { x, y, width, height } = laid.places.get(to)!;
    void setCenter(x + width / 2, y + height / 2, { zoom: getZoom() });
    event.currentTarget
      .closest('.graph')
      ?.querySelector<HTMLElement>(`[data-step="${CSS.escape(to)}"]`)
      ?.focus({ preventScroll: true });
    return true;
  };
}
