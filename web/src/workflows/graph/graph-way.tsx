import { BaseEdge, EdgeLabelRenderer, type Edge as FlowEdge, type EdgeProps } from '@xyflow/react';
import { Icon } from '../../ui/icon.tsx';
import type { Tone, Way } from './graph.ts';
import type { DrawnWay } from './layout.ts';

export interface WayData extends Record<string, unknown> {
  readonly way: DrawnWay;
  readonly tone: Tone | undefined;
  readonly onAdd: ((way: Way) => void) | undefined;
  readonly isAdding: boolean;
}

export function GraphWay({ data }: EdgeProps<FlowEdge<WayData>>) {
  if (data === undefined) return null;
  const { way, tone, onAdd, isAdding } = data;
  const { label, middle } = way;
  return (
    <>
      <g className={['way', tone, way.to === undefined && 'open'].filter(Boolean).join(' ')}>
        <BaseEdge path={way.path} interactionWidth={0} />
        {way.to !== undefined && <path className="hd" d={headAt(way.path)} />}
      </g>
      {(label !== undefined || onAdd !== undefined) && (
        <EdgeLabelRenderer>
          <div
            className="waylabel nopan"
            style={{ transform: `translate(-50%, -50%) translate(${middle.x}px, ${middle.y}px)` }}
          >
            {label !== undefined && <span className="el">{label}</span>}
            {onAdd !== undefined && (
              <button
                type="button"
                className={isAdding ? 'add on' : 'add'}
                tabIndex={-1}
                aria-label={`Add a step after ${way.from}${label === undefined ? '' : `, ${label}`}`}
                onClick={() => onAdd({ from: way.from, field: way.field })}
              >
                <Icon name="plus" small />
              </button>
            )}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
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
