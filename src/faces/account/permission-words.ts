import type { Permission } from '../../kernel/caller.ts';

export interface PermissionWords {
  readonly may: string;
  /** What that is in practice, and what can go wrong. */
  readonly means: string;
  /** Why nobody gives it without thinking: it is left for the user to tick. */
  readonly off?: string;
}

/** What a user reads before they let a tool do something for them. */
export const permissionWords: Readonly<Record<Permission, PermissionWords>> = {
  'people.read': {
    may: 'See people and segments',
    means: 'Names, addresses, properties and history of everybody here. What it reads leaves Rostrum.',
  },
  'people.write': {
    may: 'Change people',
    means: 'Add, edit, import and opt out. Two people that it merges cannot be parted again.',
  },
  'people.delete': {
    may: 'Delete people',
    means: 'For good, with all that is known of them. It cannot be undone.',
    off: 'Off, because a tool that misunderstands you could not bring anybody back.',
  },
  'webinars.read': { may: 'See webinars', means: 'Times, who is registered and who came.' },
  'webinars.write': {
    may: 'Change webinars',
    means: 'Create, move and cancel them, and register people, who then get the messages that belong to it.',
  },
  'broadcasts.read': {
    may: 'See broadcasts',
    means: 'Drafts, plans, and what became of each message.',
  },
  'broadcasts.write': {
    may: 'Draft broadcasts',
    means: 'Write and change drafts. A draft sends nothing.',
  },
  'broadcasts.schedule': {
    may: 'Schedule and stop broadcasts',
    means: 'Sends to your people. What was sent cannot be taken back.',
    off: 'Off, so that it is you who presses Schedule.',
  },
  'workflows.read': { may: 'See workflows', means: 'Their steps, and who is where in them.' },
  'workflows.write': {
    may: 'Change and publish workflows',
    means: 'One that it publishes writes to people by itself from then on.',
  },
  'settings.read': { may: 'See settings', means: 'Senders, domains and platforms.' },
  'settings.write': {
    may: 'Change settings',
    means: 'Senders, domains, platforms and the look of email. A mistake stops sending.',
  },
  'events.write': { may: 'Record events', means: 'What people did elsewhere. Workflows may follow from it.' },
};
