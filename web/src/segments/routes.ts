import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organization } from '../frame/organization-route.ts';

const segments = createRoute({
  getParentRoute: () => organization,
  path: '/segments',
  component: lazyRouteComponent(() => import('./segments-page.tsx'), 'SegmentsPage'),
});

const segment = createRoute({
  getParentRoute: () => organization,
  path: '/segments/$segment',
  component: lazyRouteComponent(() => import('./segment-page.tsx'), 'SegmentPage'),
});

export const segmentRoutes = [segments, segment] as const;
