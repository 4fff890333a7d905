import { useSearch } from '@tanstack/react-router';
import type { Workflow } from './graph/graph.ts';
import { RunList } from './runs/run-list.tsx';
import { RunPath } from './runs/run-path.tsx';
import './runs/runs.css';

export function RunsView({ workflow }: { readonly workflow: Workflow }) {
  const { run } = useSearch({ from: '/o/$org/workflows/$workflow' });
  return run === undefined ? (
    <RunList workflow={workflow} />
  ) : (
    <RunPath key={run} workflow={workflow} id={run} />
  );
}
