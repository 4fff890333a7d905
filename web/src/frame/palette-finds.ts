import { useAsk, useOrg } from '../call/use-call.ts';
import { nameOf } from '../people/name.ts';
import type { IconName } from '../ui/icon.tsx';
import { useWhyNot } from './me.ts';
import { newThings } from './new-things.ts';
import { sectionsOf } from './sections.ts';

export interface Found {
  readonly id: string;
  readonly group: 'Do' | 'Find';
  readonly icon: IconName;
  readonly label: string;
  readonly beside: string;
  readonly to: string;
  /** Why it cannot be done. */
  readonly unless?: string | undefined;
}

type Finder = (typed: string) => readonly Found[];
const most = 8;
const isNamed = (label: string, typed: string): boolean => label.toLowerCase().includes(typed.toLowerCase());

const useActs: Finder = (typed) => {
  const org = useOrg();
  const whyNot = useWhyNot();
  return newThings(org)
    .map(({ label, icon, operation, to }) => ({
      id: `new-${operation}`,
      group: 'Do' as const,
      icon,
      label: `New ${label === 'API key' ? label : label.toLowerCase()}`,
      beside: whyNot(operation) ?? '',
      to,
      unless: whyNot(operation),
    }))
    .filter(({ label }) => isNamed(label, typed));
};

const usePeople: Finder = (typed) => {
  const org = useOrg();
  const { data } = useAsk(
    'search_people',
    { query: typed },
    { enabled: typed.length > 1, keepsFormer: true },
  );
  return (typed.length > 1 ? (data?.people ?? []) : []).slice(0, most).map((person) => ({
    id: person.id,
    group: 'Find',
    icon: 'person',
    label: nameOf(person),
    beside: person.primary_email ?? '',
    to: `/o/${org}/people/${person.id}`,
  }));
};

const useSegments: Finder = (typed) => {
  const org = useOrg();
  const { data } = useAsk('list_segments', {});
  return (data?.segments ?? [])
    .filter(({ name }) => typed !== '' && isNamed(name, typed))
    .slice(0, most)
    .map(({ id, name }) => ({
      id,
      group: 'Find',
      icon: 'people',
      label: name,
      beside: 'Segment',
      to: `/o/${org}/segments/${id}`,
    }));
};

const useWebinars: Finder = (typed) => {
  const org = useOrg();
  const { data } = useAsk('list_webinars', { limit: 200 }, { enabled: typed !== '' });
  return (data?.webinars ?? [])
    .filter(({ title }) => typed !== '' && isNamed(title, typed))
    .slice(0, most)
    .map(({ id, title }) => ({
      id,
      group: 'Find',
      icon: 'webinar',
      label: title,
      beside: 'Webinar',
      to: `/o/${org}/webinars/${id}`,
    }));
};

const useBroadcasts: Finder = (typed) => {
  const org = useOrg();
  const { data } = useAsk('list_broadcasts', { limit: 200 }, { enabled: typed !== '' });
  return (data?.broadcasts ?? [])
    .filter(({ subject }) => typed !== '' && isNamed(subject ?? '', typed))
    .slice(0, most)
    .map(({ id, subject, status }) => ({
      id,
      group: 'Find',
      icon: 'broadcast',
      label: subject ?? '',
      beside: `Broadcast, ${status}`,
      to: `/o/${org}/broadcasts/${id}`,
    }));
};

const useWorkflows: Finder = (typed) => {
  const org = useOrg();
  const { data } = useAsk('list_workflows', { limit: 200 }, { enabled: typed !== '' });
  return (data?.workflows ?? [])
    .filter(({ name }) => typed !== '' && isNamed(name, typed))
    .slice(0, most)
    .map(({ id, name, status }) => ({
      id,
      group: 'Find',
      icon: 'workflow',
      label: name,
      beside: `Workflow, ${status}`,
      to: `/o/${org}/workflows/${id}`,
    }));
};

const usePlaces: Finder = (typed) => {
  const org = useOrg();
  return sectionsOf(org)
    .flatMap(({ children, icon, ...section }) =>
      [section, ...children].map(({ to, label }) => ({
        id: to,
        group: 'Find' as const,
        icon,
        label,
        beside: 'Page',
        to,
      })),
    )
    .filter(({ label }) => isNamed(label, typed));
};

/** What the palette looks through, in the order in which it shows it. An area that can be found adds its finder. */
const finders: readonly Finder[] = [
  useActs,
  usePeople,
  useBroadcasts,
  useWorkflows,
  useWebinars,
  useSegments,
  usePlaces,
];

/** The list never changes while the page is open, so its hooks are always called in the same order. */
export const useFound = (typed: string): readonly Found[] => finders.flatMap((use) => use(typed));
