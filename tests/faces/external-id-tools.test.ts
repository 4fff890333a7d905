import { expect, test } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const type = 'org_assigned_user_id';

async function idsOf(org: TestOrg, person: string): Promise<Record<string, string>> {
  const { identifiers } = (await org.rest(`GET /v1/people/${person}/identifiers`)).body;
  return Object.fromEntries(
    identifiers
      .filter((one: Record<string, string>) => one['identifier_type'] === type)
      .map((one: Record<string, string>) => [one['identifier_value'], one['id']]),
  );
}
const externalId = async (org: TestOrg, person: string): Promise<string> =>
  (await org.rest(`GET /v1/people/${person}`)).body.person.external_user_id;

test('DEC-002 IDN-024 IDF-018 over tools a person who has no external id may be given one', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'ann@example.com' });
  const sent = { identifier_type: type, identifier_value: 'c-1', is_primary_for_type: true };
  expect((await org.tool('add_identifier', { person_id, ...sent })).isError).toBe(false);
  expect(await externalId(org, person_id)).toBe('c-1');
});

test('DEC-002 IDN-025 IDN-027 over tools the external id that a person has is neither replaced, changed nor removed', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ external_user_id: 'c-1' });
  const further = { identifier_type: type, identifier_value: 'c-2' };
  const primary = { ...further, identifier_value: 'c-3', is_primary_for_type: true };
  expect((await org.tool('add_identifier', { person_id, ...further })).isError).toBe(false);
  const ids = await idsOf(org, person_id);
  const [first, second] = [
    { person_id, identifier_id: ids['c-1'] },
    { person_id, identifier_id: ids['c-2'] },
  ];
  const refused = [
    await org.tool('add_identifier', { person_id, ...primary }),
    await org.tool('update_identifier', { ...first, identifier_value: 'c-9' }),
    await org.tool('update_identifier', { ...first, is_primary_for_type: false }),
    await org.tool('update_identifier', { ...second, is_primary_for_type: true }),
    await org.tool('remove_identifier', first),
  ];
  for (const answer of refused) {
    expect(answer).toMatchObject({ isError: true, body: { status: 403 } });
    expect(answer.text).toContain('API key');
  }
  expect(await externalId(org, person_id)).toBe('c-1');
  expect(Object.keys(await idsOf(org, person_id)).toSorted()).toEqual(['c-1', 'c-2']);
  const contact = { ...first, is_contact_method: true };
  expect((await org.tool('update_identifier', contact)).isError).toBe(false);
});

test('DEC-002 IDN-027 over REST an API key may do all of it', async () => {
  const org = await world().newOrg();
  const person = await org.person({ external_user_id: 'c-1' });
  const route = `/v1/people/${person}/identifiers`;
  const primary = { identifier_type: type, identifier_value: 'c-3', is_primary_for_type: true };
  expect((await org.rest(`POST ${route}`, primary)).status).toBe(200);
  expect(await externalId(org, person)).toBe('c-3');
  const ids = await idsOf(org, person);
  expect((await org.rest(`PATCH ${route}/${ids['c-3']}`, { identifier_value: 'c-4' })).status).toBe(200);
  expect((await org.rest(`DELETE ${route}/${ids['c-1']}`)).status).toBe(200);
  expect(await externalId(org, person)).toBe('c-4');
});
