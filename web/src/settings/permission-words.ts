import type { Permission } from '../../../src/kernel/caller.ts';

const words: Readonly<Record<Permission, string>> = {
  'people.read': 'See people, segments and imports',
  'people.write': 'Change people, segments and imports',
  'people.delete': 'Delete people',
  'webinars.read': 'See webinars and who registered',
  'webinars.write': 'Change webinars, register people, report attendance',
  'broadcasts.read': 'See broadcasts and what became of them',
  'broadcasts.write': 'Draft and plan broadcasts',
  'broadcasts.schedule': 'Schedule, pull back and stop broadcasts',
  'workflows.read': 'See workflows',
  'workflows.write': 'Change, publish and pause workflows',
  'settings.read': 'See settings, members and the audit log',
  'settings.write': 'Change settings, senders and connections',
  'events.write': 'Record events of people',
};

/** What a permission lets somebody do, in a few words. */
export const sayPermission = (permission: Permission): string => words[permission];
