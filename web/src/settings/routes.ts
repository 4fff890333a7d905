import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { organization } from '../frame/organization-route.ts';

const settings = createRoute({
  getParentRoute: () => organization,
  path: '/settings',
  beforeLoad: ({ params, location }) => {
    if (/\/settings\/?$/.test(location.pathname))
      throw redirect({ to: '/o/$org/settings/keys', params, search: { make: false } });
  },
});

const senders = createRoute({
  getParentRoute: () => settings,
  path: '/senders',
  component: lazyRouteComponent(() => import('./senders-page.tsx'), 'SendersPage'),
});

const layout = createRoute({
  getParentRoute: () => settings,
  path: '/layout',
  component: lazyRouteComponent(() => import('./layout-page.tsx'), 'LayoutPage'),
});

const keys = createRoute({
  getParentRoute: () => settings,
  path: '/keys',
  validateSearch: (search): { make: boolean } => ({ make: search.make === true }),
  component: lazyRouteComponent(() => import('./keys-page.tsx'), 'KeysPage'),
});

const members = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  component: lazyRouteComponent(() => import('./members-page.tsx'), 'MembersPage'),
});

const audit = createRoute({
  getParentRoute: () => settings,
  path: '/audit',
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
});

export const settingsRoutes = [settings.addChildren([senders, layout, keys, members, audit])] as const;
