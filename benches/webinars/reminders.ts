import type { Setting } from '../send/arrange.ts';

/** The three reminders, in the order a run comes by them: where it waits, from the start, and what it sends then. */
export const reminders = [
  { wait: 'a-day-before', send: 'see-you-tomorrow', minutes: -1440 },
  { wait: 'an-hour-before', send: 'see-you-soon', minutes: -60 },
  { wait: 'ten-minutes-before', send: 'we-begin', minutes: -10 },
] as const;
export type Reminder = (typeof reminders)[number];

const html = `<p>Dear {{var_name}}, this is to remind you of the webinar you registered for.</p>
<p><a href="https://example.com/join">Join here</a> when it is time, or
<a href="https://example.com/move">choose another date</a>.</p>`;
const variables = {
  var_name: { variable: '{{context.root_context.org_user.first_name}}', fallback: 'reader' },
};

/** A live workflow: whoever registers for a webinar is reminded three times. */
export async function publishReminders({ rest, senderId: sender_id }: Setting): Promise<string> {
  const nodes = reminders.flatMap(({ wait, send, minutes }, index) => [
    { id: wait, type: 'wait', anchor: 'start', offset_minutes: minutes, next: send },
    {
      id: send,
      type: 'send_email',
      subject: 'A reminder',
      html,
      variables,
      sender_id,
      next: reminders[index + 1]?.wait ?? 'end',
    },
  ]);
  const { workflow } = (await rest.call('POST', '/v1/workflows', {
    name: 'Reminders',
    graph: {
      trigger: { type: 'webinar_registration', next: reminders[0].wait },
      nodes: [...nodes, { id: 'end', type: 'end' }],
    },
  })) as { workflow: { id: string } };
  await rest.call('POST', `/v1/workflows/${workflow.id}/publish`, {});
  return workflow.id;
}

/** A webinar whose reminders are still far away. */
export async function newWebinar({ rest }: Setting): Promise<string> {
  const { webinar } = (await rest.call('POST', '/v1/webinars', {
    webinar: { title: 'A webinar', start_time: inDays(30), duration_minutes: 60 },
  })) as { webinar: { id: string } };
  return webinar.id;
}

export const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
