import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { readSearch as readPeopleSearch } from './people/search.ts';
import { Frame } from './frame/frame.tsx';
import { Broke, NotFound } from './frame/lost.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: Broke });

const organization = createRoute({ getParentRoute: () => root, path: '/o/$org', component: Frame });

const start = createRoute({
  getParentRoute: () => organization,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/o/$org/people', params });
  },
});

const people = createRoute({
  getParentRoute: () => organization,
  path: '/people',
  validateSearch: readPeopleSearch,
  component: lazyRouteComponent(() => import('./people/people-page.tsx'), 'PeoplePage'),
});

const person = createRoute({
  getParentRoute: () => organization,
  path: '/people/$person',
  component: lazyRouteComponent(() => import('./people/person-page.tsx'), 'PersonPage'),
});

const segments = createRoute({
  getParentRoute: () => organization,
  path: '/segments',
  component: lazyRouteComponent(() => import('./segments/segments-page.tsx'), 'SegmentsPage'),
});

const segment = createRoute({
  getParentRoute: () => organization,
  path: '/segments/$segment',
  component: lazyRouteComponent(() => import('./segments/segment-page.tsx'), 'SegmentPage'),
});

const settings = createRoute({
  getParentRoute: () => organization,
  path: '/settings',
  beforeLoad: ({ params, location }) => {
    if (/\/settings\/?$/.test(location.pathname))
      throw redirect({ to: '/o/$org/settings/keys', params, search: { make: false } });
  },
});

const keys = createRoute({
  getParentRoute: () => settings,
  path: '/keys',
  validateSearch: (search): { make: boolean } => ({ make: search.make === true }),
  component: lazyRouteComponent(() => import('./settings/keys-page.tsx'), 'KeysPage'),
});

const members = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  component: lazyRouteComponent(() => import('./settings/members-page.tsx'), 'MembersPage'),
});

const audit = createRoute({
  getParentRoute: () => settings,
  path: '/audit',
  component: lazyRouteComponent(() => import('./settings/audit-page.tsx'), 'AuditPage'),
});

const routes = root.addChildren([
  organization.addChildren([
    start,
    people,
    person,
    segments,
    segment,
    settings.addChildren([keys, members, audit]),
  ]),
]);

export const router = createRouter({ routeTree: routes, defaultPreload: 'intent', scrollRestoration: true });

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
