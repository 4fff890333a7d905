import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organization } from '../frame/organization-route.ts';

const home = createRoute({
  getParentRoute: () => organization,
  path: '/',
  component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
});

export const homeRoutes = [home] as const;
