import { createRootRoute, createRoute, Outlet } from '@tanstack/react-router';
import { Frame } from './frame.tsx';
import { Broke, NotFound } from './lost.tsx';

export const root = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: Broke,
});

/** Everything of an organization is under it. */
export const organization = createRoute({ getParentRoute: () => root, path: '/o/$org', component: Frame });
