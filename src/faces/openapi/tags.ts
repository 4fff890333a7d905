/** The chapters of the reference, in its order, with the first words of the paths that belong there. */
const chapters = [
  [
    'People',
    'Who is there, how they are called, and whether they may be written to.',
    ['people', 'people-views', 'blacklist'],
  ],
  ['Properties', 'Custom properties: their configs.', ['property-configs']],
  ['Events', 'What people did, told by your systems.', ['events']],
  ['Segments', 'Saved conditions over people, evaluated at every read.', ['segments']],
  ['Imports', 'Lists of people, looked at before every step.', ['imports']],
  ['Broadcasts', 'Drafted, planned, scheduled with the token of the plan, sent.', ['broadcasts']],
  ['Webinars', 'Registration, attendance, and moving them.', ['webinars']],
  ['Workflows', 'What registrants get, and when.', ['workflows', 'workflow-runs', 'workflow-survey']],
  ['Platforms', 'Accounts at webinar platforms.', ['platform-connections']],
  [
    'Senders',
    'Whom messages come from, their domains and their layout.',
    ['senders', 'sending-domains', 'email-layout', 'sms-number'],
  ],
  [
    'Organization',
    'Settings, usage, and the clock of a test organization.',
    ['settings', 'usage', 'test-clock'],
  ],
  [
    'Access',
    'Who may act here, and who did what.',
    ['me', 'api-keys', 'members', 'invitations', 'connections', 'audit-log'],
  ],
] as const;

export const tags = chapters.map(([name, description]) => ({ name, description }));

export function tagOf(path: string): string {
  const first = path.split('/')[2] ?? '';
  const found = chapters.find(([, , words]) => (words as readonly string[]).includes(first));
  if (found === undefined) throw new Error(`no chapter of the reference has ${path}`);
  return found[0];
}
