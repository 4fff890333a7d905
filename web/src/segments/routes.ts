import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Sent } from './condition.ts';
import { organization } from '../frame/organization-route.ts';

const isCondition = (one: unknown): one is Sent =>
  typeof one === 'object' && one !== null && 'op' in one && typeof one.op === 'string';

const segments = createRoute({
  getParentRoute: () => organization,
  path: '/segments',
  component: lazyRouteComponent(() => import('./segments-page.tsx'), 'SegmentsPage'),
});

const segment = createRoute({
  getParentRoute: () => organization,
  path: '/segments/$segment',
  // What a list of people was narrowed by, for one that is being made.
  validateSearch: (search): { filters?: Sent[] } =>
    Array.isArray(search.filters) ? { filters: search.filters.filter(isCondition).slice(0, 20) } : {},
  component: lazyRouteComponent(() => import('./segment-page.tsx'), 'SegmentPage'),
});

export const segmentRoutes = [segments, segment] as const;
