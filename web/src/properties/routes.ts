import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organization } from '../frame/organization-route.ts';

const properties = createRoute({
  getParentRoute: () => organization,
  path: '/properties',
  component: lazyRouteComponent(() => import('./properties-page.tsx'), 'PropertiesPage'),
});

export const propertyRoutes = [properties] as const;
