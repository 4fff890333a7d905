import type { Locator, Page } from 'playwright-core';
import type { Furnished } from './furnish-screens.ts';

/** A screen of the dashboard, as the tests over all screens and the pictures know it. */
export interface Screen {
  /** Its picture is called so. */
  readonly name: string;
  /** Under `/o/:org`. */
  readonly path: (ids: Furnished) => string;
  /** There once the screen shows what it is for. */
  readonly shows: (page: Page) => Locator;
  /** What it says in an organization that was just made; left out where something is always there. */
  readonly empty?: string;
  /** Something a viewer may not do here: the button's name and what its reason says. */
  readonly denied?: { readonly button: string | RegExp; readonly because: string };
}

export const withoutIds: Furnished = { person: '', segment: '' };

export const screens: readonly Screen[] = [
  {
    name: 'people',
    path: () => '/people',
    shows: (page) => page.getByRole('link', { name: /example\.com/ }).first(),
    empty: 'Nobody is here yet',
  },
  {
    name: 'people-open',
    path: ({ person }) => `/people?person=${person}`,
    shows: (page) => page.getByRole('button', { name: 'Delete this person' }),
    denied: { button: 'Delete this person', because: 'people.delete' },
  },
  {
    name: 'person',
    path: ({ person }) => `/people/${person}`,
    shows: (page) => page.getByRole('button', { name: 'Delete this person' }),
    denied: { button: 'Delete this person', because: 'people.delete' },
  },
  {
    name: 'segments',
    path: () => '/segments',
    shows: (page) => page.getByRole('table'),
    denied: { button: 'Make a segment', because: 'people.write' },
  },
  {
    name: 'segment',
    path: ({ segment }) => `/segments/${segment}`,
    shows: (page) => page.getByText('Members now'),
    denied: { button: 'Save', because: 'people.write' },
  },
  {
    name: 'settings-keys',
    path: () => '/settings/keys',
    shows: (page) => page.getByRole('table'),
    denied: { button: 'Make a key', because: 'settings.write' },
  },
  {
    name: 'settings-members',
    path: () => '/settings/members',
    shows: (page) => page.getByRole('table').first(),
    denied: { button: 'Invite', because: 'settings.write' },
  },
  {
    name: 'settings-audit',
    path: () => '/settings/audit',
    shows: (page) => page.getByRole('table'),
    empty: 'Nothing is recorded',
  },
];
