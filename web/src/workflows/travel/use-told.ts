import { useQueries } from '@tanstack/react-query';
import { asking, useOrg } from '../../call/use-call.ts';
import type { Input } from '../../call/types.ts';
import type { Problem } from '../../call/problem.ts';
import { somebodyNew, type Traveller } from './cast.tsx';
import type { Told } from './standing.ts';

export type Supposed = Pick<
  Input<'simulate_workflow'>,
  'workflow_id' | 'version' | 'webinar_id' | 'attended' | 'webinar_starts_at'
>;

/** One of the cast, with what the service says they would do. */
export interface Travelled {
  readonly traveller: Traveller;
  readonly startAt: number;
  readonly told: Told;
}

/** Asks the service for each of the cast: registrants begin when they registered, all others now. */
export function useTold(
  cast: readonly Traveller[],
  supposed: Supposed,
  now: string,
  enabled: boolean,
): { readonly travelled: readonly Travelled[]; readonly problem: Problem | null; readonly isOld: boolean } {
  const org = useOrg();
  const answers = useQueries({
    queries: cast.map(({ id, registered_at }) => ({
      ...asking(org, 'simulate_workflow', {
        ...supposed,
        ...(id === somebodyNew.id ? { made_up: true as const } : { person_id: id }),
        start_at: registered_at ?? now,
      }),
      enabled,
      placeholderData: (former: Told | undefined) => former,
      staleTime: 60_000,
    })),
  });
  return {
    travelled: answers.flatMap(({ data }, at) => {
      const traveller = cast[at]!;
      const startAt = Date.parse(traveller.registered_at ?? now);
      return data === undefined ? [] : [{ traveller, startAt, told: data }];
    }),
    problem: answers.find(({ error }) => error !== null)?.error ?? null,
    isOld: answers.some(({ isPlaceholderData }) => isPlaceholderData),
  };
}
