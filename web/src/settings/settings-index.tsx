import { Navigate } from '@tanstack/react-router';
import { useOrg } from '../call/use-call.ts';
import type { OperationName } from '../call/types.ts';
import { useWhyNot } from '../frame/me.ts';

/** What each page reads first, in their order. */
const pages = [
  ['/o/$org/settings/organization', 'get_settings'],
  ['/o/$org/settings/senders', 'list_senders'],
  ['/o/$org/settings/connections', 'list_connections'],
] as const satisfies readonly (readonly [page: string, operation: OperationName])[];

/** To the first page that whoever is signed in may see. */
export function SettingsIndex() {
  const org = useOrg();
  const whyNot = useWhyNot();
  const [page] = pages.find(([, operation]) => whyNot(operation) === undefined) ?? pages[0];
  return <Navigate to={page} params={{ org }} replace />;
}
