import type { TestOrg } from '../support/test-org.ts';

/** What the addresses of screens name, by what it is. */
export type Furnished = Readonly<Record<'person' | 'segment' | 'webinar' | 'broadcast', string>>;

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
  const { broadcast } = await make('POST /v1/broadcasts', {
    audience: 'everyone',
    subject: 'What is new',
    html: '<p>Hello,</p><p>there is <a href="https://example.com/news">news</a>.</p>',
  });
  return {
    person: person.person_id,
    segment: segment.id,
    webinar: webinar.id,
    broadcast: broadcast.id,
  };
}
