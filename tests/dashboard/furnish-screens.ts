import type { TestOrg } from '../support/test-org.ts';

/** What the addresses of screens name, by what it is. */
export type Furnished = Readonly<Record<'person' | 'segment' | 'webinar' | 'broadcast' | 'workflow', string>>;

/** Gives an organization something to show on every screen. */
export async function furnishScreens(org: TestOrg): Promise<Furnished> {
  const make = async (route: string, body: object) => {
    const answer = await org.rest(route, body);
    if (answer.status >= 300) throw new Error(`${route}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  await make('POST /v1/property-configs', { key: 'plan', name: 'Plan', type: 'string' });
  const person = await make('POST /v1/people/identify', {
    email: 'ada@example.com',
    phone: '+15555550100',
    first_name: 'Ada',
    last_name: 'Lovelace',
    custom_properties: { plan: 'team' },
  });
  await make('POST /v1/people/identify', { email: 'grace@example.com', first_name: 'Grace' });
  const { segment } = await make('POST /v1/segments', {
    name: 'Can be reached',
    color: '#3d7dc4',
    filters: [
      { property: 'primary_email', op: 'is_not_empty' },
      { property: 'created_at', op: 'gte', value: 'now-30d' },
    ],
  });
  const { now } = (await org.rest('GET /v1/webinars')).body;
  const { webinar } = await make('POST /v1/webinars', {
    webinar: {
      title: 'Pricing a first course',
      start_time: new Date(Date.parse(now) + 5 * 86_400_000).toISOString(),
      timezone: 'Europe/Paris',
      duration_minutes: 75,
      join_url: 'https://live.example.com/pricing',
    },
  });
  await make('POST /v1/webinars/register', { webinar_id: webinar.id, user: { email: 'ada@example.com' } });
  await make(`PUT /v1/webinars/${webinar.id}/registration-page`, {
    description: 'An hour about what a first course should cost.',
    frame_origins: ['https://example.com'],
  });
  const { broadcast } = await make('POST /v1/broadcasts', {
    audience: 'everyone',
    subject: 'What is new',
    html: '<p>Hello,</p><p>there is <a href="https://example.com/news">news</a>.</p>',
  });
  const { workflow } = await make('POST /v1/workflows', {
    name: 'Webinar reminders',
    graph: {
      trigger: { type: 'webinar_registration', webinar_id: webinar.id, next: 'you-are-in' },
      nodes: [
        {
          id: 'you-are-in',
          type: 'send_email',
          subject: 'You are in',
          html: '<p>See you there.</p>',
          next: 'day-before',
        },
        {
          id: 'day-before',
          type: 'wait',
          anchor: 'start',
          offset_minutes: -1_440,
          next: 'tomorrow',
          past: 'after-it',
        },
        { id: 'tomorrow', type: 'send_text', message_body: 'It is tomorrow.', next: 'after-it' },
        { id: 'after-it', type: 'wait', anchor: 'end', offset_minutes: 60, next: 'who-came' },
        { id: 'who-came', type: 'attendance_split', attended: 'recording', no_show: 'missed' },
        {
          id: 'recording',
          type: 'send_email',
          subject: 'The recording and the worksheet',
          html: '<p>Here they are.</p>',
          next: 'end',
        },
        { id: 'missed', type: 'send_email', html: '<p>Sorry we missed you.</p>', next: 'end-2' },
        { id: 'end', type: 'end' },
        { id: 'end-2', type: 'end' },
      ],
    },
  });
  return {
    person: person.person_id,
    segment: segment.id,
    webinar: webinar.id,
    broadcast: broadcast.id,
    workflow: workflow.id,
  };
}
