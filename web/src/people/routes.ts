import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organization } from '../frame/organization-route.ts';
import { readSearch } from './search.ts';

const people = createRoute({
  getParentRoute: () => organization,
  path: '/people',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./people-page.tsx'), 'PeoplePage'),
});

const person = createRoute({
  getParentRoute: () => organization,
  path: '/people/$person',
  component: lazyRouteComponent(() => import('./person-page.tsx'), 'PersonPage'),
});

export const peopleRoutes = [people, person] as const;
