import { useReactFlow, ViewportPortal, type Edge as FlowEdge } from '@xyflow/react';
import { memo, useEffect } from 'react';
import { Icon } from '../../ui/icon.tsx';
import type { Tone, Way } from './graph.ts';
import type { DrawnWay, Layout } from './layout.ts';

interface GraphWaysProps {
  readonly laid: Layout;
  readonly tone: ((way: Way) => Tone | undefined) | undefined;
  readonly onAdd: ((way: Way) => void) | undefined;
  /** Where a step is being added. */
  readonly adding: Way | undefined;
}

export interface WayData extends Record<string, unknown> {
  readonly way: Way;
}

/**
 * All ways in one drawing: an edge of React Flow is a drawing of its own, which costs as much as a node at every step of
 * the canvas. Only the way under the mouse is also one, so that its ends can be drawn elsewhere.
 */
export const GraphWays = memo(function GraphWays({ laid, tone, onAdd, adding }: GraphWaysProps) {
  const { setEdges } = useReactFlow<never, FlowEdge<WayData>>();
  useEffect(() => setEdges([]), [laid, setEdges]);
  return (
    <ViewportPortal>
      <svg className="ways" aria-hidden="true">
        {laid.ways.map((way) => (
          <WayPath
            key={`${way.from} ${way.field}`}
            way={way}
            tone={tone?.(way)}
            onEnter={onAdd && (() => setEdges([asEdge(way)]))}
          />
        ))}
      </svg>
      {laid.ways.map((way) => (
        <WayLabel
          key={`${way.from} ${way.field}`}
          way={way}
          onAdd={onAdd}
          isAdding={adding?.from === way.from && adding.field === way.field}
        />
      ))}
    </ViewportPortal>
  );
});

/** What React Flow has of a way: nothing to see, and its two ends to take hold of. */
export const HeldWay = () => null;

const asEdge = (way: DrawnWay): FlowEdge<WayData> => ({
  id: `${way.from} ${way.field}`,
  type: 'way',
  source: way.from,
  sourceHandle: way.field,
  target: way.end,
  data: { way: { from: way.from, field: way.field } },
});

interface WayPathProps {
  readonly way: DrawnWay;
  readonly tone: Tone | undefined;
  readonly onEnter: (() => void) | undefined;
}

const WayPath = ({ way, tone, onEnter }: WayPathProps) => (
  <g className={['way', tone, way.to === undefined && 'open'].filter(Boolean).join(' ')}>
    <path className="line" d={way.path} />
    {way.to !== undefined && <path className="hd" d={headAt(way.path)} />}
    {onEnter !== undefined && <path className="hit" d={way.path} onMouseEnter={onEnter} />}
  </g>
);

interface WayLabelProps {
  readonly way: DrawnWay;
  readonly onAdd: ((way: Way) => void) | undefined;
  readonly isAdding: boolean;
}

function WayLabel({ way, onAdd, isAdding }: WayLabelProps) {
  const { label, middle, from, field } = way;
  if (label === undefined && onAdd === undefined) return null;
  return (
    <div className="waylabel nopan" style={{ left: middle.x, top: middle.y }}>
      {label !== undefined && <span className="el">{label}</span>}
      {onAdd !== undefined && (
        <button
          type="button"
          className={isAdding ? 'add on' : 'add'}
          tabIndex={-1}
          aria-label={`Add a step after ${from}${label === undefined ? '' : `, ${label}`}`}
          onClick={() => onAdd({ from, field })}
        >
          <Icon name="plus" small />
        </button>
      )}
    </div>
  );
}

/** The head of an arrow at the end of a path, along its last stretch. */
function headAt(path: string): string {
  const [x = 0, y = 0] = path
    .slice(path.lastIndexOf('L') + 1)
    .split(' ')
    .map(Number);
  return `M${x - 4} ${y - 6}l4 5 4-5`;
}
