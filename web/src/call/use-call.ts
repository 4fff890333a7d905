import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
  type UseQueryResult,
  type UseMutationResult,
} from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { call } from './call.ts';
import type { Problem } from './problem.ts';
import type { Input, OperationName, Output } from './types.ts';

/** The organization whose address this is. Two tabs on two organizations never cross. */
export const useOrg = (): string => useParams({ from: '/o/$org' }).org;

interface Asking {
  /** Shows the former answer, dimmed, while a new one is awaited. */
  readonly keepsFormer?: boolean;
  readonly everyMs?: number;
  readonly enabled?: boolean;
}

/** How an answer is had, and what it is kept under. */
export const asking = <Name extends OperationName>(org: string, name: Name, input: Input<Name>) =>
  queryOptions<Output<Name>, Problem>({
    queryKey: [org, name, input],
    queryFn: ({ signal }) => call(org, name, input, signal),
  });

/** What an operation that reads answers. */
export function useAsk<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  { keepsFormer = false, everyMs, enabled = true }: Asking = {},
): UseQueryResult<Output<Name>, Problem> {
  const org = useOrg();
  return useQuery<Output<Name>, Problem>({
    ...asking(org, name, input),
    enabled,
    ...(keepsFormer && { placeholderData: keepPreviousData }),
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  });
}

/** An operation that changes something; what the named operations answered before is asked anew. */
export function useAct<Name extends OperationName>(
  name: Name,
  changes: readonly OperationName[],
): UseMutationResult<Output<Name>, Problem, Input<Name>> {
  const org = useOrg();
  const client = useQueryClient();
  return useMutation<Output<Name>, Problem, Input<Name>>({
    mutationFn: (input) => call(org, name, input),
    onSuccess: () =>
      Promise.all(changes.map((changed) => client.invalidateQueries({ queryKey: [org, changed] }))),
  });
}
