import type { Locator, Page } from 'playwright-core';
import { isLong } from '../support/volume.ts';
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

export const withoutIds: Furnished = { person: '', segment: '', webinar: '', broadcast: '', workflow: '' };

const ofPeople: readonly Screen[] = [
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
    name: 'imports',
    path: () => '/imports',
    shows: (page) => page.getByRole('link', { name: 'Import a file' }).first(),
    empty: 'No imports yet',
  },
  {
    name: 'properties',
    path: () => '/properties',
    shows: (page) => page.getByRole('table'),
  },
];

const ofSettings: readonly Screen[] = [
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
  {
    name: 'settings-organization',
    path: () => '/settings/organization',
    shows: (page) => page.getByRole('heading', { name: 'Fixed' }),
  },
  {
    name: 'settings-senders',
    path: () => '/settings/senders',
    shows: (page) => page.getByRole('heading', { name: 'Senders', level: 1 }),
  },
  {
    name: 'settings-layout',
    path: () => '/settings/layout',
    shows: (page) => page.getByRole('button', { name: 'Save' }).first(),
  },
  {
    name: 'settings-connections',
    path: () => '/settings/connections',
    shows: (page) => page.getByRole('heading', { name: 'Connections', level: 1 }),
  },
  {
    name: 'settings-usage',
    path: () => '/settings/usage',
    shows: (page) => page.getByRole('heading', { name: 'Usage', level: 1 }),
  },
];

const ofSending: readonly Screen[] = [
  {
    name: 'home',
    path: () => '',
    shows: (page) => page.getByRole('region', { name: 'Next 7 days' }),
    empty: 'Five steps to the first send',
  },
  {
    name: 'webinars',
    path: () => '/webinars',
    shows: (page) => page.getByRole('table'),
    empty: 'There are no webinars yet',
    denied: { button: 'New webinar', because: 'webinars.write' },
  },
  {
    name: 'webinars-calendar',
    path: () => '/webinars?month=2026-11',
    shows: (page) => page.getByRole('region', { name: 'Calendar' }).getByRole('table'),
  },
  {
    name: 'webinar',
    path: ({ webinar }) => `/webinars/${webinar}`,
    shows: (page) => page.getByRole('switch'),
    denied: { button: 'Reschedule', because: 'webinars.write' },
  },
  {
    name: 'registration-page',
    path: ({ webinar }) => `/webinars/${webinar}/registration-page`,
    shows: (page) => page.getByRole('button', { name: 'Save', exact: true }),
    denied: { button: 'Save', because: 'webinars.write' },
  },
  {
    name: 'broadcasts',
    path: () => '/broadcasts',
    shows: (page) => page.getByRole('table'),
    empty: 'Nothing was written yet',
  },
  {
    name: 'broadcast',
    path: ({ broadcast }) => `/broadcasts/${broadcast}`,
    shows: (page) => page.getByRole('textbox', { name: 'Subject' }),
  },
  {
    name: 'workflows',
    path: () => '/workflows',
    shows: (page) => page.getByRole('table'),
    empty: 'There are no workflows yet',
    denied: { button: 'New workflow', because: 'workflows.write' },
  },
  {
    name: 'workflow-runs',
    path: ({ workflow }) => `/workflows/${workflow}?view=runs`,
    shows: (page) => page.getByText('Nobody has entered yet'),
  },
  {
    name: 'workflow-travel',
    path: ({ workflow }) => `/workflows/${workflow}?view=travel`,
    shows: (page) => page.getByText('The draft cannot be tried yet'),
  },
];

const ofWorkflows: readonly Screen[] = [
  {
    name: 'workflow',
    path: ({ workflow }) => `/workflows/${workflow}?step=missed`,
    shows: (page) => page.getByRole('heading', { name: 'missed' }),
    denied: { button: 'Publish', because: 'workflows.write' },
  },
  {
    name: 'workflow-list',
    path: ({ workflow }) => `/workflows/${workflow}?view=list`,
    shows: (page) => page.getByRole('table'),
    denied: { button: 'Publish', because: 'workflows.write' },
  },
];

/** By the part of the dashboard, because each part is looked at by a test file of its own. */
export const screensOf = {
  people: ofPeople,
  settings: ofSettings,
  sending: ofSending,
  workflows: ofWorkflows,
};
export const screens = [...ofPeople, ...ofSettings, ...ofSending, ...ofWorkflows];
/** Those that every run tries in every state; `npm run e2e` tries all. */
const oftenTried = ['people', 'segment', 'settings-keys', 'webinar', 'broadcasts'];
export const someScreens = isLong ? screens : screens.filter(({ name }) => oftenTried.includes(name));
/** Those of them that a test takes which needs long for each. */
export const fewScreens = (...names: readonly string[]): readonly Screen[] =>
  isLong ? screens : screens.filter(({ name }) => names.includes(name));
