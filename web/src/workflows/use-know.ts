import { useQueryClient } from '@tanstack/react-query';
import type { Output } from '../call/types.ts';
import { asking, useOrg } from '../call/use-call.ts';

/** Puts what an operation answered in place of what was known of the workflow. */
export function useKnow(
  id: string,
): (told: { readonly workflow: Output<'update_workflow'>['workflow'] }) => void {
  const org = useOrg();
  const client = useQueryClient();
  return ({ workflow }) =>
    client.setQueryData<Output<'get_workflow'>>(
      asking(org, 'get_workflow', { workflow_id: id }).queryKey,
      (old) => old && { workflow: { ...old.workflow, ...workflow } },
    );
}
