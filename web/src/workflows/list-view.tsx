import type { KeyboardEvent } from 'react';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { atTrigger, type Graph, type Node, type Trigger, type Way } from './graph/graph.ts';
import { inOrder, type Row } from './graph/in-order.ts';
import { useWebinarName } from './graph/use-webinar-name.ts';
import { kindOf, partAt, waysOf } from './graph/ways.ts';
import { iconOf, titleOf } from './graph/words.ts';
import './list-view.css';

interface ListViewProps {
  readonly graph: Graph;
  readonly selected: string | undefined;
  readonly problem: (id: string) => string | undefined;
  readonly line: (id: string) => string | undefined;
  readonly isLocked: boolean;
  readonly onSelect: (id: string) => void;
  readonly onAdd: (way: Way) => void;
  readonly onRemove: (id: string) => void;
  readonly onKey: (id: string, event: KeyboardEvent) => void;
}

/** The same graph for phones, keyboards and screen readers: a step a row, a branch a step to the right. */
export function ListView(props: ListViewProps) {
  const webinar = useWebinarName(props.graph);
  return (
    <div className="wlist">
      <table className="tbl">
        <thead>
          <tr>
            <th className="first">Step</th>
            <th className="only-wide">Leads to</th>
            <th className="only-wide">So far</th>
            <th className="last">
              <span className="vh">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {inOrder(props.graph).map((row) => (
            <StepRow
              key={row.id}
              row={row}
              part={partAt(props.graph, row.id)!}
              webinar={webinar}
              {...props}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface StepRowProps extends ListViewProps {
  readonly row: Row;
  readonly part: Trigger | Node;
  readonly webinar: string | undefined;
}

function StepRow({ row, part, webinar, selected, problem, line, isLocked, ...on }: StepRowProps) {
  const { id, depth, branch } = row;
  const wrong = problem(id);
  const ways = waysOf(part);
  return (
    <tr className={id === selected ? 'on' : undefined}>
      <td className="first">
        <button
          type="button"
          className="stepname"
          data-step={id}
          data-depth={Math.min(depth, 6)}
          aria-pressed={id === selected}
          onClick={() => on.onSelect(id)}
          onKeyDown={(event) => on.onKey(id, event)}
        >
          <Icon name={iconOf(part)} />
          <span className="col">
            <span className="hint">
              {branch !== undefined && <b className="medium">{branch}: </b>}
              {kindOf(part).label}
            </span>
            <span className="medium clip">{titleOf(part, webinar)}</span>
            {wrong !== undefined && <span className="err">{wrong}</span>}
          </span>
        </button>
      </td>
      <td className="only-wide muted">
        {ways
          .flatMap(({ field, to }) => (to === undefined && field === 'past' ? [] : (to ?? 'nowhere')))
          .join(', ') || '—'}
      </td>
      <td className="only-wide muted">{line(id) ?? '—'}</td>
      <td className="last">
        {!isLocked && (
          <span className="row g1 end">
            {ways
              .filter(({ to, needed }) => needed || to !== undefined)
              .map((way) => (
                <Button
                  key={way.field}
                  kind="ghost"
                  size="s"
                  icon="plus"
                  aria-label={`Add a step after ${id}: ${kindOf(part).fields[way.field]!.label}`}
                  title={kindOf(part).fields[way.field]!.label}
                  onClick={() => on.onAdd(way)}
                />
              ))}
            {id !== atTrigger && (
              <Button
                kind="ghost"
                size="s"
                icon="trash"
                aria-label={`Delete ${id}`}
                onClick={() => on.onRemove(id)}
              />
            )}
          </span>
        )}
      </td>
    </tr>
  );
}
