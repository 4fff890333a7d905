import { beforeAll, expect, test } from 'vitest';
import { newDraft } from '../support/broadcast.ts';
import { observe } from '../support/observe-person.ts';
import type { TestOrg } from '../support/test-org.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { path } from './body-setting.ts';
import { refusedBoth, type Fields } from '../broadcasts/draft/draft-ways.ts';
import { newConfig, setProperty } from '../broadcasts/plan/plan-support.ts';
import { everyKind, reads, rendered, setColumns, withVariable } from './variable-setting.ts';

const world = useWorld();

let org: TestOrg;
let person: string;
let kinds: Record<string, Fields>;

const moment = '2026-03-04T05:06:07.000Z';
/** A value of every field of a person that a variable reads, as it is stored and as it reads. */
const fields: Readonly<Record<string, string>> = {
  first_name: 'Ada',
  last_name: 'Byron',
  full_name: 'Ada Byron',
  primary_email: 'ada@example.com',
  primary_phone: '+15550001111',
  external_user_id: 'user-1',
  subscription_status: 'trialing',
  payment_processor: 'processor_b',
  mrr: '49.9',
  ltv: '1200',
  first_payment_date: moment,
  next_payment_date: moment,
  cancels_at: moment,
  email_engagement_score: '7',
  health_band: 'power',
  last_opened_at: moment,
  last_clicked_at: moment,
  last_replied_at: moment,
  created_at: moment,
};

beforeAll(async () => {
  org = await world().newOrg();
  person = await org.person({
    email: 'ada@example.com',
    phone: '+15550001111',
    external_user_id: 'user-1',
    first_name: 'Ada',
    last_name: 'Byron',
  });
  const { full_name: _, first_name: __, last_name: ___, primary_email: ____, ...rest } = fields;
  const { email_engagement_score, ...columns } = rest;
  await setColumns(world(), person, { ...columns, mrr: 4_990, ltv: 120_000 });
  await observe(world(), person, { email_engagement_score: Number(email_engagement_score) });
  for (const [key, type] of [['tier'], ['seats', 'number'], ['vip', 'boolean'], ['Mixed_Case']] as const) {
    await newConfig(org, key, type);
  }
  kinds = await everyKind(world(), org);
});

interface Listed {
  readonly variable: string;
  readonly name: string;
  readonly group: string;
}

const list = async (): Promise<Listed[]> => (await org.tool('list_broadcast_variables')).body.variables;

test.each(['everyone', 'segment', 'webinar', 'text'])(
  'VAR-002 VAR-015 in a broadcast of the kind %s every field of the recipient can be read',
  async (kind) => {
    const listed = (await list()).filter(({ group }) => group === 'person');
    expect(listed.map(({ name }) => name)).toEqual(Object.keys(fields));
    for (const [at, { name, variable }] of listed.entries()) {
      expect(variable).toBe(path(name));
      // All of them in one kind, some in the others.
      if (!isLong && kind !== 'everyone' && at % 5 !== 0) continue;
      expect([name, await rendered(org, person, { variable }, kinds[kind])]).toEqual([name, fields[name]]);
    }
  },
);

test.each(['everyone', 'segment', 'webinar', 'text'])(
  'VAR-003 VAR-016 in a broadcast of the kind %s custom properties are read by their key',
  async (kind) => {
    for (const [key, value, text] of [
      ['tier', 'Gold & more', 'Gold & more'],
      ['seats', 12.5, '12.5'],
      ['seats', 0, '0'],
      ['vip', false, 'false'],
      ['Mixed_Case', 'kept', 'kept'],
    ] as const) {
      await setProperty(org, person, key, value);
      const definition = reads(`custom_properties.${key}`, { fallback: 'none' });
      expect(await rendered(org, person, definition, kinds[kind])).toBe(text);
    }
    await setProperty(org, person, 'tier', null);
    expect(
      await rendered(org, person, reads('custom_properties.tier', { fallback: 'none' }), kinds[kind]),
    ).toBe('none');
  },
);

/** What is wrong with one definition, in a new draft and as a change of one. */
async function wrongWith(definition: unknown, kind: Fields = { audience: 'everyone' }) {
  const { id } = await newDraft(org, kind);
  const sent = withVariable(kind, definition);
  return refusedBoth(world(), org, sent, id, sent);
}

test('VAR-001 a definition without a variable is refused', async () => {
  for (const definition of [
    {},
    { fallback: 'there' },
    { variable: null },
    { variable: 7 },
    { variable: ['x'] },
  ]) {
    expect(await wrongWith(definition)).toMatchObject([{ pointer: '/variables/var_x/variable' }]);
  }
  for (const definition of [null, 'first_name', path('first_name'), [], 7]) {
    expect(await wrongWith(definition)).toMatchObject([{ pointer: '/variables/var_x' }]);
  }
  const unknown = await wrongWith({ ...reads('first_name'), fall_back: 'there' });
  expect(unknown).toMatchObject([{ pointer: '/variables/var_x/fall_back', code: 'unknown_field' }]);
});

/** For the gate one kind, another for each path. */
const kindOf = (variable: string): string => ['everyone', 'webinar', 'text'][variable.length % 3]!;

test.each([
  '{{context.root_context.org_user.shoe_size}}',
  '{{context.root_context.org_user.id}}',
  '{{context.root_context.org_user}}',
  '{{context.root_context.org_user.FIRST_NAME}}',
  '{{ context.root_context.org_user.first_name }}',
  'context.root_context.org_user.first_name',
  '{{org_user.first_name}}',
  '{{first_name}}',
  'Hi {{context.root_context.org_user.first_name}}',
  '{{context.root_context.org_user.first_name}}{{context.root_context.org_user.last_name}}',
  '{{context.root_context.org_user.constructor}}',
  '{{context.root_context.org_user.__proto__}}',
  '{{context.root_context.org_user.custom_properties}}',
  '{{context.root_context.organization.name}}',
  '',
])('VAR-002 VAR-004 the path %j does not resolve and is refused, naming those that do', async (variable) => {
  for (const kind of isLong ? ['everyone', 'webinar', 'text'] : [kindOf(variable)]) {
    const errors = await wrongWith({ variable }, kinds[kind]);
    expect(errors).toMatchObject([{ pointer: '/variables/var_x/variable', code: 'unknown_variable' }]);
    const usable = (await list()).filter(({ group }) => kind !== 'everyone' || group !== 'webinar');
    expect(errors[0]!.allowed).toEqual(usable.map((one) => one.variable));
  }
});

test('VAR-003 VAR-016 a key without a config is refused, be it spelled a little otherwise or another organization’s', async () => {
  const other = await world().newOrg();
  await newConfig(other, 'theirs');
  for (const key of ['rank', 'theirs', 'Tier', 'mixed_case', 'tier.x', 'tier ', '', '*']) {
    for (const kind of isLong ? ['everyone', 'text'] : [key.length % 2 === 0 ? 'everyone' : 'text']) {
      const errors = await wrongWith(reads(`custom_properties.${key}`), kinds[kind]);
      expect(errors).toMatchObject([{ pointer: '/variables/var_x/variable', code: 'unknown_variable' }]);
      expect(errors[0]!.allowed).not.toContain(path('custom_properties.theirs'));
    }
  }
});

test('VAR-016 a config made later is readable, and a deleted one no more', async () => {
  const definition = reads('custom_properties.fresh');
  expect(await wrongWith(definition)).toMatchObject([{ code: 'unknown_variable' }]);
  const config_id = await newConfig(org, 'fresh');
  await setProperty(org, person, 'fresh', 'yes');
  expect(await rendered(org, person, definition)).toBe('yes');
  await org.tool('delete_property_config', { config_id });
  expect(await wrongWith(definition)).toMatchObject([{ code: 'unknown_variable' }]);
});
