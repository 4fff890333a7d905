import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

interface Listed {
  readonly variable: string;
  readonly name: string;
  readonly group: string;
  readonly type: string;
  readonly requires_webinar: boolean;
}

/** The list over REST, which the tool gives too. */
async function list(org: TestOrg): Promise<Listed[]> {
  const { status, body } = await org.rest('GET /v1/broadcasts/variables');
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['variables']);
  const tool = await org.tool('list_broadcast_variables');
  expect(tool).toMatchObject({ isError: false, body });
  return body.variables;
}

const define = (org: TestOrg, key: string, type = 'string', name = 'A property') =>
  org.rest('POST /v1/property-configs', { key, name, type });

const named = (variables: readonly Listed[], group: string) =>
  variables.filter((one) => one.group === group).map(({ name, type }) => `${name} ${type}`);

const personFields = [
  'first_name text',
  'last_name text',
  'full_name text',
  'primary_email text',
  'primary_phone text',
  'external_user_id text',
  'subscription_status text',
  'payment_processor text',
  'mrr number',
  'ltv number',
  'first_payment_date date',
  'next_payment_date date',
  'cancels_at date',
  'email_engagement_score number',
  'health_band text',
  'last_opened_at date',
  'last_clicked_at date',
  'last_replied_at date',
  'created_at date',
];

test('VAR-022 TOL-005 the list has the recipient’s fields, the custom properties and what a webinar gives', async () => {
  const org = await world().newOrg();
  await define(org, 'vip', 'boolean');
  await define(org, 'Seats', 'number');
  await define(org, 'plan');
  const variables = await list(org);
  expect(named(variables, 'person')).toEqual(personFields);
  expect(named(variables, 'custom_properties')).toEqual(['vip boolean', 'Seats number', 'plan text']);
  expect(named(variables, 'webinar')).toEqual([
    'webinar_title text',
    'webinar_start_time date',
    'join_url url',
    'registration_join_url url',
    'google_calendar_url url',
    'outlook_calendar_url url',
    'calendar_file_url url',
  ]);
});

test('VAR-022 each entry has its eight fields, and its path is the form of the specification', async () => {
  const org = await world().newOrg();
  await define(org, 'plan', 'string', 'The plan they bought');
  const variables = await list(org);
  expect(variables[0]).toEqual({
    variable: '{{context.root_context.org_user.first_name}}',
    name: 'first_name',
    label: 'First name',
    group: 'person',
    type: 'text',
    channels: ['email', 'sms'],
    requires_webinar: false,
    example: 'Ada',
  });
  expect(variables.find(({ name }) => name === 'plan')).toEqual({
    variable: '{{context.root_context.org_user.custom_properties.plan}}',
    name: 'plan',
    label: 'The plan they bought',
    group: 'custom_properties',
    type: 'text',
    channels: ['email', 'sms'],
    requires_webinar: false,
    example: 'Gold',
  });
  for (const { variable, name, group, requires_webinar } of variables) {
    const under = { person: 'org_user.', custom_properties: 'org_user.custom_properties.', webinar: '' }[
      group
    ];
    expect(variable).toBe(`{{context.root_context.${under}${name}}}`);
    expect(requires_webinar).toBe(group === 'webinar');
  }
  expect(new Set(variables.map(({ variable }) => variable)).size).toBe(variables.length);
});

test('VAR-022 a custom property named like a field is listed beside it', async () => {
  const org = await world().newOrg();
  await define(org, 'first_name');
  const paths = (await list(org)).filter(({ name }) => name === 'first_name').map(({ variable }) => variable);
  expect(paths).toEqual([
    '{{context.root_context.org_user.first_name}}',
    '{{context.root_context.org_user.custom_properties.first_name}}',
  ]);
});

test('VAR-022 a property is listed from when it is made until it is deleted', async () => {
  const org = await world().newOrg();
  expect(named(await list(org), 'custom_properties')).toEqual([]);
  const { body } = await define(org, 'plan');
  expect(named(await list(org), 'custom_properties')).toEqual(['plan text']);
  await org.rest(`DELETE /v1/property-configs/${body.property_config.id}`);
  expect(named(await list(org), 'custom_properties')).toEqual([]);
});

test('TEN-018 the list has custom properties of the caller’s organization only', async () => {
  const [mine, theirs] = [await world().newOrg(), await world().newOrg()];
  await define(mine, 'mine');
  await define(theirs, 'theirs');
  expect(named(await list(mine), 'custom_properties')).toEqual(['mine text']);
  expect(named(await list(theirs), 'custom_properties')).toEqual(['theirs text']);
});

test('VAR-024 variables is never taken as a broadcast id', async () => {
  const org = await world().newOrg();
  const { status, body } = await org.rest('GET /v1/broadcasts/variables');
  expect({ status, isList: Array.isArray(body.variables) }).toEqual({ status: 200, isList: true });
  const withoutPermission = await world().newKey(org, ['people.read']);
  const refused = await withoutPermission.rest('GET /v1/broadcasts/variables');
  expect(refused).toMatchObject({
    status: 403,
    body: { detail: expect.stringContaining('broadcasts.read') },
  });
  const withWord = await org.rest('GET /v1/broadcasts/variables?limit=5');
  expect(withWord).toMatchObject({ status: 400, body: { errors: [{ pointer: '/limit' }] } });
});

test('three hundred properties are a list that a model can read', async () => {
  const org = await world().newOrg();
  for (let at = 0; at < 300; at++) await define(org, `property_number_${at}`, 'string', `Property ${at}`);
  const { text, body } = await org.tool('list_broadcast_variables');
  expect(body.variables).toHaveLength(326);
  expect(countTokens(text)).toBeLessThanOrEqual(25_000);
  expect(countTokens(JSON.stringify(body))).toBeLessThanOrEqual(25_000);
});
