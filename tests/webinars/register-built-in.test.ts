import { expect, test } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';
import { createWebinar, registerFor } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const register = async (org: TestOrg, user: Record<string, unknown>) =>
  registerFor(org, (await createWebinar(org)).id, user);
const configsOf = async (org: TestOrg): Promise<string[]> =>
  (await org.rest('GET /v1/property-configs')).body.property_configs.map(({ key }: { key: string }) => key);
const personOf = async (org: TestOrg, id: string) => (await org.rest(`GET /v1/people/${id}`)).body.person;

test('DEC-007 REG-039 a property with the name of a field that register fills goes there and makes no config', async () => {
  const org = await world().newOrg();
  const properties = { 'First Name': 'Ann', last_name: 'Example', phone: '+14155550100', plan: 'pro' };
  const { org_user_id, left_out } = await register(org, { email: 'ann@example.com', properties });
  expect(left_out).toBeUndefined();
  expect(await personOf(org, org_user_id)).toMatchObject({
    first_name: 'Ann',
    last_name: 'Example',
    primary_phone: '+14155550100',
    custom_properties: { plan: { value: 'pro' } },
  });
  expect(await configsOf(org)).toEqual(['plan']);
});

test('DEC-007 REG-039 other fields, and what does not fit one, are left out, noted and told', async () => {
  const org = await world().newOrg();
  const properties = {
    mrr: 100,
    createdAt: '2026-01-01',
    email: 'not an address',
    first_name: 'Other',
    seats: 3,
  };
  const user = { user_id: 'u-1', first_name: 'Ann', properties };
  const { org_user_id, left_out } = await register(org, user);
  const told = ['createdAt', 'email', 'first_name', 'mrr'].map((key) => ({ key, reason: 'built_in_field' }));
  expect(left_out.toSorted((a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1))).toEqual(
    told,
  );
  expect(await personOf(org, org_user_id)).toMatchObject({ first_name: 'Ann', primary_email: null, mrr: 0 });
  expect(await configsOf(org)).toEqual(['seats']);
  const { events } = (await org.rest(`GET /v1/people/${org_user_id}/events`)).body;
  const noted = events.find(
    ({ event_name }: { event_name: string }) => event_name === '$svc_properties_left_out',
  );
  expect(noted.custom_properties.properties).toHaveLength(4);
});

test('REG-039 a config that was made with such a name keeps its values coming', async () => {
  const org = await world().newOrg();
  await org.rest('POST /v1/property-configs', { key: 'phone', name: 'Office phone', type: 'string' });
  const { org_user_id } = await register(org, { email: 'ann@example.com', properties: { phone: 'ext 12' } });
  expect(await personOf(org, org_user_id)).toMatchObject({
    primary_phone: null,
    custom_properties: { phone: { value: 'ext 12' } },
  });
});
