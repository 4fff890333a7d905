import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organization } from '../frame/organization-route.ts';
import { readListSearch, readWebinarSearch } from './search.ts';

const webinars = createRoute({
  getParentRoute: () => organization,
  path: '/webinars',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./webinars-page.tsx'), 'WebinarsPage'),
});

const webinar = createRoute({
  getParentRoute: () => organization,
  path: '/webinars/$webinar',
  validateSearch: readWebinarSearch,
  component: lazyRouteComponent(() => import('./webinar-page.tsx'), 'WebinarPage'),
});

const registrationPage = createRoute({
  getParentRoute: () => organization,
  path: '/webinars/$webinar/registration-page',
  component: lazyRouteComponent(
    () => import('./registration-page/registration-page.tsx'),
    'RegistrationPageScreen',
  ),
});

export const webinarRoutes = [webinars, webinar, registrationPage] as const;
