import { beforeAll, expect, test } from 'vitest';
import { newDraft, plan } from '../support/broadcast.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { first } from './body-setting.ts';
import { previewFor, read, refusedBoth, type Fields } from '../broadcasts/draft/draft-ways.ts';
import { newConfig, setProperty } from '../broadcasts/plan/plan-support.ts';
import { everyKind, reads, rendered, withVariable } from './variable-setting.ts';

const world = useWorld();

let org: TestOrg;
let known: string;
let unknown: string;
let kinds: Record<string, Fields>;

beforeAll(async () => {
  org = await world().newOrg();
  known = await org.person({ email: 'ada@example.com', first_name: 'Ada' });
  unknown = await org.person({ email: 'nobody@example.com' });
  await newConfig(org, 'tier');
  kinds = await everyKind(world(), org);
});

const everyone = { audience: 'everyone' };
const wrongWith = async (definition: Fields) => {
  const { id } = await newDraft(org, everyone);
  const sent = withVariable(everyone, definition);
  return refusedBoth(world(), org, sent, id, sent);
};

test.each(['everyone', 'segment', 'webinar', 'text'])(
  'VAR-005 VAR-006 of the kind %s: the fallback, or nothing',
  async (kind) => {
    const shown = (person: string, more: Fields) => rendered(org, person, { ...first, ...more }, kinds[kind]);
    expect(await shown(known, { fallback: 'there' })).toBe('Ada');
    expect(await shown(unknown, { fallback: 'there' })).toBe('there');
    expect(await shown(unknown, { fallback: '' })).toBe('');
    expect(await shown(unknown, {})).toBe('');
  },
);

test('VAR-005 a value that was cleared, or is blank, is no value; zero and false are', async () => {
  await newConfig(org, 'seats', 'number');
  await newConfig(org, 'vip', 'boolean');
  const shown = (key: string) =>
    rendered(org, known, reads(`custom_properties.${key}`, { fallback: 'none' }));
  expect(await shown('tier')).toBe('none');
  for (const [key, value, text] of [
    ['tier', 'Gold', 'Gold'],
    ['tier', '  ', 'none'],
    ['tier', '', 'none'],
    ['tier', null, 'none'],
    ['seats', 0, '0'],
    ['vip', false, 'false'],
    ['vip', null, 'none'],
  ] as const) {
    await setProperty(org, known, key, value);
    expect([key, value, await shown(key)]).toEqual([key, value, text]);
  }
});

test('VAR-005 VAR-006 VAR-007 what was left out reads back as its default', async () => {
  const { id } = await newDraft(org, withVariable(everyone, reads('custom_properties.tier')));
  const defaults = { fallback: '', template: '{{var}}', date_format: null, text_format: null };
  expect((await read(org, id)).variables).toEqual({
    var_x: { ...reads('custom_properties.tier'), ...defaults },
  });
});

test('VAR-007 without a template the value stands alone', async () => {
  await setProperty(org, known, 'tier', ' Gold  plan ');
  const { id } = await newDraft(org, {
    audience: 'everyone',
    html: '<p>{{var_x}}</p>',
    variables: { var_x: reads('custom_properties.tier') },
  });
  expect((await previewFor(org, id, known)).message).toContain('<p> Gold  plan </p>');
});

test.each([
  ['for {{var}} only', 'for Ada only'],
  ['{{var}}{{var}}', 'AdaAda'],
  ['{{var}}', 'Ada'],
  ['Dear {{var}},', 'Dear Ada,'],
  ['<b>{{var}}</b> & ${{var}}', '<b>Ada</b> & $Ada'],
])('VAR-008 the template %j is put around the value', async (template, text) => {
  for (const kind of ['everyone', 'text']) {
    expect(await rendered(org, known, { ...first, template }, kinds[kind])).toBe(text);
    expect(await rendered(org, unknown, { ...first, template, fallback: 'Hello' }, kinds[kind])).toBe(
      'Hello',
    );
    expect(await rendered(org, unknown, { ...first, template }, kinds[kind])).toBe('');
  }
});

test('VAR-008 a template in an email is text as well: its signs are escaped', async () => {
  const variables = { var_x: { ...first, template: '<script>{{var}}</script>', fallback: '<b>' } };
  const { id } = await newDraft(org, { audience: 'everyone', html: '<p>{{var_x}}</p>', variables });
  expect((await previewFor(org, id, known)).message).toContain('<p>&lt;script&gt;Ada&lt;/script&gt;</p>');
  expect((await previewFor(org, id, unknown)).message).toContain('<p>&lt;b&gt;</p>');
});

test.each([
  ['template', 'Dear friend', 'template_without_value'],
  ['template', '', 'template_without_value'],
  ['template', '{{ var }}', 'template_without_value'],
  ['template', '{{var}} {{last_name}}', 'template_syntax'],
  ['template', '{{var_a}} {{var}}', 'template_syntax'],
  ['template', '{{var}} {% if x %}', 'template_syntax'],
  ['fallback', '{{first_name}}', 'template_syntax'],
  ['fallback', '{{var}}', 'template_syntax'],
  ['fallback', '{{var_a}}', 'template_syntax'],
])('VAR-005 VAR-008 the %s %j would be sent as it stands and is refused', async (field, text, code) => {
  expect(await wrongWith({ ...first, [field]: text })).toMatchObject([
    { pointer: `/variables/var_x/${field}`, code },
  ]);
});

test.each([
  ['fallback', null],
  ['fallback', 7],
  ['fallback', 'x'.repeat(2_001)],
  ['template', null],
  ['template', ['{{var}}']],
  ['template', `{{var}}${'x'.repeat(1_000)}`],
  ['text_format', 'upper'],
  ['date_format', 7],
])('VAR-005 VAR-008 a %s that is %j is refused', async (field, value) => {
  expect(await wrongWith({ ...first, [field]: value })).toMatchObject([
    { pointer: `/variables/var_x/${field}` },
  ]);
});

test('VAR-005 VAR-006 the plan counts who has a value and who gets the fallback', async () => {
  const { id } = await newDraft(org, withVariable(everyone, first));
  const { variables } = await plan(org, id);
  expect(variables).toEqual([{ name: 'var_x', ...first, with_value: 1, with_fallback: 1 }]);
});
