import { useNavigate, useSearch } from '@tanstack/react-router';
import { useAsk } from '../../call/use-call.ts';
import { Segmented } from '../../broadcasts/segmented.tsx';
import { count } from '../../format/number.ts';
import { Blank, Failed, Skeleton } from '../../ui/blank.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyAsCall } from '../../ui/copy-as-call.tsx';
import { Select } from '../../ui/field.tsx';
import { Pager } from '../../ui/pager.tsx';
import { graphOf, type Workflow } from '../graph/graph.ts';
import type { WorkflowSearch } from '../search.ts';
import { nodeName } from './node-name.ts';
import { RunTable } from './run-table.tsx';

const pageSize = 50;
const stateWords = [
  ['all', 'All'],
  ['running', 'Under way'],
  ['ended', 'Ended'],
] as const;

/** The runs of a workflow; what they are narrowed by stands in the address. */
export function RunList({ workflow }: { readonly workflow: Workflow }) {
  const { state, node, person, offset = 0 } = useSearch({ from: '/o/$org/workflows/$workflow' });
  const navigate = useNavigate({ from: '/o/$org/workflows/$workflow' });
  const filters = {
    ...(state !== undefined && { state }),
    ...(node !== undefined && { node }),
    ...(person !== undefined && { person }),
  };
  const go = (search: WorkflowSearch): void => void navigate({ search: { view: 'runs', ...search } });
  const input = {
    workflow_id: workflow.id,
    ...(state !== undefined && { state }),
    ...(node !== undefined && { node }),
    ...(person !== undefined && { person_id: person }),
    limit: pageSize,
    offset,
  };
  const asked = useAsk('list_workflow_people', input, { keepsFormer: true, everyMs: 15_000 });
  const { node: _node, ...withoutNode } = filters;
  const { state: _state, ...withoutState } = filters;
  const { state: _ended, ...withoutPlace } = withoutNode; // whoever stands somewhere has not ended
  const { person: _person, ...withoutPerson } = filters;
  return (
    <div className="page wide runs">
      <div className="row wrap tools">
        <Segmented
          label="Which runs"
          choices={stateWords}
          value={state ?? 'all'}
          onChange={(chosen) => go(chosen === 'all' ? withoutState : { ...withoutState, state: chosen })}
          unless={(choice) =>
            choice === 'ended' && node !== undefined && 'Whoever stands at a step is under way.'
          }
        />
        <Select
          size="s"
          aria-label="Where they stand"
          value={node ?? ''}
          onChange={({ target: { value } }) =>
            go(
              value === ''
                ? withoutNode
                : { ...(state === 'ended' ? withoutPlace : withoutNode), node: value },
            )
          }
          choices={[['', 'At any step'], ...placesOf(workflow, node)]}
        />
        {person !== undefined && (
          <Button size="s" icon="close" onClick={() => go(withoutPerson)}>
            Of one person
          </Button>
        )}
      </div>
      {asked.error !== null ? (
        <Failed problem={asked.error} what="runs" retry={() => void asked.refetch()} />
      ) : asked.data === undefined ? (
        <Skeleton rows={8} />
      ) : asked.data.total === 0 ? (
        <Nothing isFiltered={Object.keys(filters).length > 0} isLive={workflow.live_version !== null} />
      ) : (
        <>
          <RunTable workflow={workflow} runs={asked.data.runs} isOld={asked.isPlaceholderData} />
          {asked.data.total > pageSize && (
            <Pager
              total={asked.data.total}
              offset={offset}
              size={pageSize}
              onGo={(to) => go({ ...filters, ...(to !== undefined && { offset: to }) })}
            />
          )}
        </>
      )}
      <div className="row g4 mt4">
        <CopyAsCall operation="list_workflow_people" input={input} />
      </div>
    </div>
  );
}

/** Where somebody stands, and the place that the address names. */
function placesOf(workflow: Workflow, chosen: string | undefined): (readonly [string, string])[] {
  const graph = graphOf(workflow);
  const standing = workflow.nodes.filter(({ id, waiting }) => waiting > 0 || id === chosen);
  const known = standing.map(
    ({ id, waiting }) => [id, `${nodeName(graph, id)} (${count(waiting)})`] as const,
  );
  return chosen === undefined || standing.some(({ id }) => id === chosen)
    ? known
    : [...known, [chosen, nodeName(graph, chosen)]];
}

const Nothing = ({ isFiltered, isLive }: { readonly isFiltered: boolean; readonly isLive: boolean }) => (
  <Blank icon="people" title={isFiltered ? 'Nobody is there' : 'Nobody has entered yet'}>
    {isFiltered
      ? 'No run matches what the address asks for.'
      : isLive
        ? 'Whoever does what triggers it from now on shows up here, with where they stand and until when.'
        : 'It runs for nobody until it is published. Time travel shows what it would do.'}
  </Blank>
);
