import { useQuery } from '@tanstack/react-query';
import { call } from '../call/call.ts';
import { useOrg } from '../call/use-call.ts';
import type { Sent } from './condition.ts';

const none: readonly number[] = [];

/** How many are left after each condition. Asked one after another, and only once the whole is known. */
export function useNarrowing(
  filters: readonly Sent[],
  isWholeKnown: boolean,
): readonly (number | undefined)[] {
  const org = useOrg();
  const { data = none } = useQuery({
    queryKey: [org, 'narrowing', filters],
    queryFn: async ({ signal }) => {
      const left: number[] = [];
      for (let used = 1; used <= filters.length; used += 1) {
        const { count } = await call(org, 'preview_segment', { filters: filters.slice(0, used) }, signal);
        left.push(count);
      }
      return left;
    },
    enabled: isWholeKnown && filters.length > 1,
    staleTime: 60_000,
  });
  return data;
}
