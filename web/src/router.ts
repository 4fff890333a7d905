import { createRouter } from '@tanstack/react-router';
import { broadcastRoutes } from './broadcasts/routes.ts';
import { organization, root } from './frame/organization-route.ts';
import { homeRoutes } from './home/routes.ts';
import { importRoutes } from './imports/routes.ts';
import { peopleRoutes } from './people/routes.ts';
import { propertyRoutes } from './properties/routes.ts';
import { segmentRoutes } from './segments/routes.ts';
import { settingsRoutes } from './settings/routes.ts';
import { webinarRoutes } from './webinars/routes.ts';
import { workflowRoutes } from './workflows/routes.ts';

const routes = root.addChildren([
  organization.addChildren([
    ...homeRoutes,
    ...webinarRoutes,
    ...broadcastRoutes,
    ...workflowRoutes,
    ...peopleRoutes,
    ...segmentRoutes,
    ...importRoutes,
    ...propertyRoutes,
    ...settingsRoutes,
  ]),
]);

export const router = createRouter({ routeTree: routes, defaultPreload: 'intent', scrollRestoration: true });

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
