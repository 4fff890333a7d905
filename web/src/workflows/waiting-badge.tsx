import { Link } from '@tanstack/react-router';
import { useOrg } from '../call/use-call.ts';
import { count, people } from '../format/number.ts';
import { Icon } from '../ui/icon.tsx';
import type { Workflow } from './graph/graph.ts';

/** Who stands at a node: leads to their list. */
export function WaitingBadge({ workflow, id }: { readonly workflow: Workflow; readonly id: string }) {
  const org = useOrg();
  const waiting = workflow.nodes.find((node) => node.id === id)?.waiting ?? 0;
  if (waiting === 0) return null;
  return (
    <Link
      className="stands"
      to="/o/$org/workflows/$workflow"
      params={{ org, workflow: workflow.id }}
      search={{ view: 'runs', node: id }}
      aria-label={`${people(waiting)} here, list them`}
    >
      <Icon name="people" small />
      {count(waiting)}
    </Link>
  );
}
