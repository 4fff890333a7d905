import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organization } from '../frame/organization-route.ts';

const settings = createRoute({
  getParentRoute: () => organization,
  path: '/settings',
});

const index = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: lazyRouteComponent(() => import('./settings-index.tsx'), 'SettingsIndex'),
});

const organizationPage = createRoute({
  getParentRoute: () => settings,
  path: '/organization',
  component: lazyRouteComponent(() => import('./organization-page.tsx'), 'OrganizationPage'),
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

const connections = createRoute({
  getParentRoute: () => settings,
  path: '/connections',
  component: lazyRouteComponent(() => import('./connections-page.tsx'), 'ConnectionsPage'),
});

const members = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  component: lazyRouteComponent(() => import('./members-page.tsx'), 'MembersPage'),
});

const usage = createRoute({
  getParentRoute: () => settings,
  path: '/usage',
  component: lazyRouteComponent(() => import('./usage-page.tsx'), 'UsagePage'),
});

const audit = createRoute({
  getParentRoute: () => settings,
  path: '/audit',
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
});

export const settingsRoutes = [
  settings.addChildren([index, organizationPage, senders, layout, keys, connections, members, usage, audit]),
] as const;
