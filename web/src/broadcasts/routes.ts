import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organization } from '../frame/organization-route.ts';
import { readAt, readBroadcastsSearch, readReportSearch } from './search.ts';

const broadcasts = createRoute({
  getParentRoute: () => organization,
  path: '/broadcasts',
  validateSearch: readBroadcastsSearch,
  component: lazyRouteComponent(() => import('./broadcasts-page.tsx'), 'BroadcastsPage'),
});

const broadcast = createRoute({
  getParentRoute: () => organization,
  path: '/broadcasts/$broadcast',
  validateSearch: readAt,
  component: lazyRouteComponent(() => import('./broadcast-page.tsx'), 'BroadcastPage'),
});

const plan = createRoute({
  getParentRoute: () => organization,
  path: '/broadcasts/$broadcast/plan',
  validateSearch: readAt,
  component: lazyRouteComponent(() => import('./plan/plan-page.tsx'), 'PlanPage'),
});

const report = createRoute({
  getParentRoute: () => organization,
  path: '/broadcasts/$broadcast/report',
  validateSearch: readReportSearch,
  component: lazyRouteComponent(() => import('./report/report-page.tsx'), 'ReportPage'),
});

export const broadcastRoutes = [broadcasts, broadcast, plan, report] as const;
