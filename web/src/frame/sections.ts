import type { IconName } from '../ui/icon.tsx';

interface Place {
  readonly to: string;
  readonly label: string;
}

export interface Section extends Place {
  readonly icon: IconName;
  readonly children: readonly Place[];
}

/** Where one can go in an organization. */
export const sectionsOf = (org: string): readonly Section[] => [
  { to: `/o/${org}`, label: 'Home', icon: 'home', children: [] },
  { to: `/o/${org}/webinars`, label: 'Webinars', icon: 'webinar', children: [] },
  { to: `/o/${org}/broadcasts`, label: 'Broadcasts', icon: 'broadcast', children: [] },
  { to: `/o/${org}/workflows`, label: 'Workflows', icon: 'workflow', children: [] },
  {
    to: `/o/${org}/people`,
    label: 'People',
    icon: 'people',
    children: [
      { to: `/o/${org}/segments`, label: 'Segments' },
      { to: `/o/${org}/imports`, label: 'Imports' },
      { to: `/o/${org}/properties`, label: 'Properties' },
    ],
  },
  {
    to: `/o/${org}/settings`,
    label: 'Settings',
    icon: 'settings',
    children: [
      { to: `/o/${org}/settings/organization`, label: 'Organization' },
      { to: `/o/${org}/settings/senders`, label: 'Senders' },
      { to: `/o/${org}/settings/layout`, label: 'Email layout' },
      { to: `/o/${org}/settings/keys`, label: 'API keys' },
      { to: `/o/${org}/settings/connections`, label: 'Connections' },
      { to: `/o/${org}/settings/members`, label: 'Members' },
      { to: `/o/${org}/settings/usage`, label: 'Usage' },
      { to: `/o/${org}/settings/audit`, label: 'Audit' },
    ],
  },
];

const isHome = (to: string): boolean => /^\/o\/[^/]+$/.test(to);

/** Home is the organization's own address, above every other. */
export const isUnder = (pathname: string, { to, children }: Section): boolean =>
  isHome(to)
    ? pathname.replace(/\/$/, '') === to
    : [to, ...children.map((child) => child.to)].some((place) => pathname.startsWith(place));
