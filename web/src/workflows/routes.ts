import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organization } from '../frame/organization-route.ts';
import { readWorkflowSearch, readWorkflowsSearch } from './search.ts';

const workflows = createRoute({
  getParentRoute: () => organization,
  path: '/workflows',
  validateSearch: readWorkflowsSearch,
  component: lazyRouteComponent(() => import('./workflows-page.tsx'), 'WorkflowsPage'),
});

const workflow = createRoute({
  getParentRoute: () => organization,
  path: '/workflows/$workflow',
  validateSearch: readWorkflowSearch,
  component: lazyRouteComponent(() => import('./workflow-page.tsx'), 'WorkflowPage'),
});

export const workflowRoutes = [workflows, workflow] as const;
