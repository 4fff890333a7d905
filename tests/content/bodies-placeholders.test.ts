import { beforeAll, expect, test } from 'vitest';
import { newDraft, plan } from '../support/broadcast.ts';
import { useWorld } from '../support/world.ts';
import {
  bodies,
  draftWith,
  first,
  last,
  newSetting,
  portal,
  wrongWith,
  type Setting,
} from './body-setting.ts';
import { create, faces, previewFor, read, update } from '../broadcasts/draft/draft-ways.ts';

const world = useWorld();

let setting: Setting;
beforeAll(async () => {
  setting = await newSetting(world());
});

test('BOD-004 BOD-005 each placeholder in text is replaced by what is defined under its own name', async () => {
  const { org, person } = setting;
  const html =
    '<h1>{{var_a}}</h1><ul><li>{{var_b-2}}, {{var_a}}{{var_a}}</li></ul><p><em>{{var_LONG_id_9}}</em></p>';
  const variables = { var_a: first, 'var_b-2': last, var_LONG_id_9: { ...first, template: '({{var}})' } };
  const { id } = await newDraft(org, { audience: 'everyone', html, variables });
  const { body } = (await plan(org, id)).preview;
  expect(body).toBe('<h1>Ada</h1><ul><li>&lt;Byron&gt; &amp; co, AdaAda</li></ul><p><em>(Ada)</em></p>');
  const { message, text } = await previewFor(org, id, person);
  expect(message).toContain(body);
  expect(text).toMatch(/^Ada\n\n- <Byron> & co, AdaAda\n\n\(Ada\)\n/);
});

test('BOD-004 a value is text: what it holds is neither markup nor a placeholder', async () => {
  const org = await world().newOrg();
  const as = { ...first, text_format: null };
  const { id } = await newDraft(org, {
    audience: 'everyone',
    html: '<p>{{var_a}}</p>',
    variables: { var_a: as },
  });
  for (const [at, [first_name, escaped]] of [
    ['<b>Ada</b>', '&lt;b&gt;Ada&lt;/b&gt;'],
    ['{{var_b}}', '{{var_b}}'],
    ['{{link_var_c}}', '{{link_var_c}}'],
    ['"><script>alert(1)</script>', '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;'],
    ["O'Neil & Söhne", 'O&#39;Neil &amp; Söhne'],
  ].entries()) {
    const who = await org.person({ email: `a${at}@example.com`, first_name });
    const { message, text } = await previewFor(org, id, who);
    expect(message).toContain(`<p>${escaped}</p>`);
    expect(text).toContain(`${first_name}\n`);
  }
});

test.each([
  'first_name',
  'var_',
  'VAR_a',
  'link_a',
  'var_a b',
  'var_ä',
  '{{var_a}}',
  '',
  `var_${'a'.repeat(65)}`,
])('BOD-005 a definition under the name %j is refused', async (name) => {
  const variables = { var_a: first, [name]: first };
  const [error] = await wrongWith(setting, 'html', '<p>{{var_a}}</p>', { variables });
  expect(error!.pointer).toMatch(/^\/variables/);
});

const undefinedAt = (name: string): object => ({
  pointer: '/variables',
  code: 'undefined_placeholder',
  detail: expect.stringContaining(`{{${name}}}`),
});

test.each(bodies)('BOD-012 a placeholder of the %s without definition is refused', async (body) => {
  for (const more of [
    {},
    { variables: {} },
    { variables: { var_b: first } },
    { variables: { var_A: first } },
  ]) {
    expect(await wrongWith(setting, body, 'Hi {{var_a}}', more)).toMatchObject([undefinedAt('var_a')]);
  }
  const two = await wrongWith(setting, body, '{{var_c}} {{var_a}} {{var_b}}', {
    variables: { var_a: first },
  });
  expect(two).toMatchObject([undefinedAt('var_c'), undefinedAt('var_b')]);
});

test('BOD-005 BOD-012 var_a and link_var_a are two names', async () => {
  const text = await wrongWith(setting, 'html', '<p>{{var_a}}</p>', { variables: { link_var_a: portal } });
  expect(text).toMatchObject([undefinedAt('var_a')]);
  const link = '<p><a href="{{link_var_a}}">x</a></p>';
  const other = await wrongWith(setting, 'html', link, { variables: { var_a: portal } });
  expect(other).toMatchObject([undefinedAt('link_var_a')]);
});

const foreign = [
  '{{first_name}}',
  '{{ var_a }}',
  '{{{var_a}}}',
  '{{#if x}}yes{{/if}}',
  '{{var_}}',
  '{{var_ä}}',
  '{{VAR_a}}',
  '{{}}',
  '{{var_a',
  'var_a}}',
  '{{context.root_context.org_user.first_name}}',
  '{% if x %}',
  '{# note #}',
  '${name}',
  '*|FNAME|*',
  '{{link_var_a}}',
];

test.each(foreign)('BOD-013 %j is no placeholder and is refused', async (syntax) => {
  const variables = { var_a: first, link_var_a: portal };
  for (const body of bodies) {
    const [error] = await wrongWith(setting, body, `Hi ${syntax}.`, { variables });
    expect(error!.pointer).toBe(`/${body}`);
    expect(['template_syntax', 'placeholder_place']).toContain(error!.code);
    expect(error!.detail).toMatch(/^Line 1, column \d+: /);
  }
});

test('BOD-013 in a body what would read as one after decoding or across tags is refused as well', async () => {
  const variables = { var_a: first };
  for (const html of [
    '<p>&#123;&#123;name}}</p>',
    '<p>{{<em>var_a</em>}}</p>',
    '<p><img src="https://a.example/" alt="{{var_a}}"></p>',
  ]) {
    const [error] = await wrongWith(setting, 'html', html, { variables });
    expect(error!.code).toMatch(/^(template_syntax|placeholder_split|placeholder_place)$/);
  }
});

test.each(bodies)('BOD-020 definitions that the %s does not use are dropped', async (body) => {
  const { org } = setting;
  const unused = { link_var_c: portal, var_d: { variable: '{{nowhere}}' }, var_e: { variable: '' } };
  const variables = { ...unused, var_a: first, var_b: last };
  for (const face of faces) {
    const made = await create[face](org, draftWith(setting, body, 'Hi {{var_a}}', { variables }));
    expect(Object.keys(made.body.broadcast.variables)).toEqual(['var_a']);
    const { id } = made.body.broadcast;
    const changed = await update[face](org, id, { [body]: 'Hi {{var_b}}', variables });
    expect(Object.keys(changed.body.broadcast.variables)).toEqual(['var_b']);
    expect(Object.keys((await read(org, id)).variables)).toEqual(['var_b']);
  }
  expect(await newDraft(org, { audience: 'everyone', variables })).toMatchObject({ variables: {} });
});
