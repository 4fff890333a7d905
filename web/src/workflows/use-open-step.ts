import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Way } from './graph/graph.ts';

export interface OpenStep {
  readonly step: string | undefined;
  /** The way out of it on which a step is being added. */
  readonly adding: Way | undefined;
  readonly open: (step: string | undefined, add?: string) => void;
}

/** Which step is open beside the graph. It stands in the address. */
export function useOpenStep(): OpenStep {
  const { step, add } = useSearch({ from: '/o/$org/workflows/$workflow' });
  const navigate = useNavigate({ from: '/o/$org/workflows/$workflow' });
  return {
    step,
    adding: step === undefined || add === undefined ? undefined : { from: step, field: add },
    open: (next, field) =>
      void navigate({
        search: ({ view }) => ({
          ...(view !== undefined && { view }),
          ...(next !== undefined && { step: next }),
          ...(field !== undefined && { add: field }),
        }),
        replace: true,
      }),
  };
}
