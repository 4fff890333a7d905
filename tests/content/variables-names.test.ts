import { beforeAll, expect, test } from 'vitest';
import { newDraft } from '../support/broadcast.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { create, faces, read, refusedBoth, update, type Fields } from '../broadcasts/draft/draft-ways.ts';
import { newConfig, setProperty } from '../broadcasts/plan/plan-support.ts';
import { everyKind, reads, rendered, setColumns, withVariable } from './variable-setting.ts';

const world = useWorld();

let org: TestOrg;
let person: string;
let kinds: Record<string, Fields>;

beforeAll(async () => {
  org = await world().newOrg();
  person = await org.person({ email: 'john@example.com', first_name: 'jOHN', last_name: "VAN DER o'neil" });
  for (const key of ['nickname', 'portal']) await newConfig(org, key);
  await newConfig(org, 'seats', 'number');
  kinds = await everyKind(world(), org);
});

const names: [typed: string, repaired: string][] = [
  ['jOHN', 'John'],
  ['JOHN', 'John'],
  ['john', 'John'],
  ['  anna   maria ', 'Anna Maria'],
  ['JEAN-LUC', 'Jean-Luc'],
  ["D'ANGELO", "D'Angelo"],
  ['MCDONALD', 'McDonald'],
  ['élodie', 'Élodie'],
  ['McKenzie', 'McKenzie'],
  ['DeShawn', 'DeShawn'],
  ['JP', 'JP'],
  ['山田', '山田'],
];

test.each(names)('VAR-013 the typed name %j is repaired to %j', async (typed, repaired) => {
  await setColumns(world(), person, { first_name: typed });
  await setProperty(org, person, 'nickname', typed);
  for (const kind of ['everyone', 'text']) {
    expect(await rendered(org, person, reads('first_name', { text_format: 'name' }), kinds[kind])).toBe(
      repaired,
    );
    const nickname = reads('custom_properties.nickname', { text_format: 'name' });
    expect(await rendered(org, person, nickname, kinds[kind])).toBe(repaired);
  }
});

test('VAR-013 first and last name are repaired each by itself, the last name with its particles', async () => {
  await setColumns(world(), person, { first_name: 'VAN', last_name: "VAN DER O'NEIL" });
  expect(await rendered(org, person, reads('full_name'))).toBe("Van van der O'Neil");
  expect(await rendered(org, person, reads('last_name'))).toBe("van der O'Neil");
});

test.each(faces)(
  'VAR-014 over %s text_format is name for name fields unless it is said otherwise, and null for others',
  async (face) => {
    await setColumns(world(), person, { first_name: 'jOHN', last_name: 'DOE' });
    await setProperty(org, person, 'nickname', 'jOHNNY');
    for (const [field, more, text_format, text] of [
      ['first_name', {}, 'name', 'John'],
      ['last_name', {}, 'name', 'Doe'],
      ['full_name', {}, 'name', 'John Doe'],
      ['first_name', { text_format: 'name' }, 'name', 'John'],
      ['first_name', { text_format: null }, null, 'jOHN'],
      ['full_name', { text_format: null }, null, 'jOHN DOE'],
      ['primary_email', {}, null, 'john@example.com'],
      ['custom_properties.nickname', {}, null, 'jOHNNY'],
      ['custom_properties.nickname', { text_format: 'name' }, 'name', 'Johnny'],
    ] as const) {
      const made = await create[face](org, withVariable({ audience: 'everyone' }, reads(field, more)));
      expect(made.body.broadcast.variables.var_x).toMatchObject({ text_format });
      const changed = await newDraft(org, { audience: 'everyone' });
      await update[face](org, changed.id, withVariable({}, reads(field, more)));
      expect((await read(org, changed.id)).variables.var_x).toMatchObject({ text_format });
      expect([field, await rendered(org, person, reads(field, more))]).toEqual([field, text]);
    }
  },
);

test('VAR-014 what reads back can be sent again and means the same', async () => {
  const { id, variables } = await newDraft(
    org,
    withVariable({ audience: 'everyone' }, reads('first_name', { text_format: null })),
  );
  const { body } = await update.tool(org, id, { html: '<p>{{var_x}}</p>', variables });
  expect(body.broadcast.variables).toEqual(variables);
});

test('VAR-014 a link variable has no text format, even to a text property', async () => {
  const html = '<p><a href="{{link_var_x}}">x</a></p>';
  const variables = { link_var_x: reads('custom_properties.portal') };
  const made = await newDraft(org, { audience: 'everyone', html, variables });
  expect(made.variables.link_var_x).toMatchObject({
    text_format: null,
    date_format: null,
    template: '{{var}}',
  });
});

test.each(['mrr', 'created_at', 'custom_properties.seats'])(
  'VAR-013 text_format is not for %s, which is no text',
  async (field) => {
    const { id } = await newDraft(org, { audience: 'everyone' });
    const sent = withVariable({ audience: 'everyone' }, reads(field, { text_format: 'name' }));
    const errors = await refusedBoth(world(), org, sent, id, sent);
    expect(errors).toMatchObject([{ pointer: '/variables/var_x/text_format', code: 'not_a_text' }]);
  },
);
