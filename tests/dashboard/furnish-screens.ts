import type { TestOrg } from '../support/test-org.ts';

/** What the addresses of screens name, by what it is. */
export type Furnished = Readonly<Record<'person' | 'segment', string>>;

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
  return { person: person.person_id, segment: segment.id };
}
