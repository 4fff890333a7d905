import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organization } from '../frame/organization-route.ts';
import { readSearch } from './search.ts';

const imports = createRoute({
  getParentRoute: () => organization,
  path: '/imports',
  component: lazyRouteComponent(() => import('./imports-page.tsx'), 'ImportsPage'),
});

const newImport = createRoute({
  getParentRoute: () => organization,
  path: '/imports/new',
  component: lazyRouteComponent(() => import('./new-import-page.tsx'), 'NewImportPage'),
});

const oneImport = createRoute({
  getParentRoute: () => organization,
  path: '/imports/$import',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./import-page.tsx'), 'ImportPage'),
});

export const importRoutes = [imports, newImport, oneImport] as const;
