import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { importList } from './through-engine.ts';

const world = useWorld({ engine: true });

test('IMP-024 IMP-025 a row finds and names a number in any spelling, and what it says is shown as typed', async () => {
  const org = await world().newOrg();
  await org.rest('PATCH /v1/settings', { default_country: 'US' });
  const known = await org.person({ phone: '+14155551000' });
  const mapping = { Mobile: 'phone', 'Mobile 2': 'alternate_phone', First: 'first_name' };
  const done = await importList(org, mapping, [
    { Mobile: '(415) 555-1000', First: 'Known' },
    { Mobile: '415 555 2000', 'Mobile 2': '+1 415-555-2000' },
    { Mobile: '+1.415.555.2000', First: 'New' },
  ]);
  expect(done).toMatchObject({ status: 'completed', succeeded: 3, people_created: 1, people_merged: 0 });
  const { people } = (await org.rest('GET /v1/people?sort=created_at')).body;
  const shown = people.map(({ first_name, primary_phone }: Record<string, string>) => [
    first_name,
    primary_phone,
  ]);
  expect(shown.toSorted()).toEqual([
    ['Known', '+14155551000'],
    ['New', '415 555 2000'],
  ]);
  expect((await org.rest(`GET /v1/people/${known}`)).body.person.first_name).toBe('Known');
});
