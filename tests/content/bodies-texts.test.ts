import { beforeAll, expect, test } from 'vitest';
import { newDraft, plan, register } from '../support/broadcast.ts';
import { useWorld } from '../support/world.ts';
import { draftWith, first, last, newSetting, portal, wrongWith, type Setting } from './body-setting.ts';
import { previewFor, update, type Fields } from '../broadcasts/draft/draft-ways.ts';

const world = useWorld();

let setting: Setting;
beforeAll(async () => {
  setting = await newSetting(world());
  const { org, webinar_id, person } = setting;
  await register(world(), org, webinar_id, person, { join_url: 'https://example.com/join/ada?x=1&y=2' });
});

const variables: Fields = {
  var_a: first,
  var_b: last,
  var_url: portal,
  var_join: { variable: '{{context.root_context.join_url}}' },
};

/** The text that the one registrant gets, told alike by plan and preview, after creation and after a change. */
async function textOf(source: string): Promise<string> {
  const { org, person, drafts } = setting;
  const { id } = await newDraft(org, draftWith(setting, 'message_body', source, { variables }));
  await update.tool(org, drafts.message_body, { message_body: source, variables });
  const { message, text, subject } = await previewFor(org, id, person);
  expect([text, subject]).toEqual([message, null]);
  for (const one of [id, drafts.message_body]) {
    expect((await plan(org, one)).preview).toEqual({ person_id: person, subject: null, body: message });
  }
  return message;
}

test.each([
  ['{{var_a}}', 'Ada'],
  ['{{var_a}} at the start', 'Ada at the start'],
  ['at the end {{var_a}}', 'at the end Ada'],
  ['in({{var_a}})words{{var_a}}words', 'in(Ada)wordsAdawords'],
  ['{{var_a}}{{var_a}}', 'AdaAda'],
  ['on one line\n{{var_a}}\r\nand another', 'on one line\nAda\r\nand another'],
  ['https://example.com/?who={{var_a}}&x', 'https://example.com/?who=Ada&x'],
  ['"{{var_a}}" <{{var_a}}> ${{var_a}} #{{var_a}}', '"Ada" <Ada> $Ada #Ada'],
])('BOD-010 in the text %j the placeholder is replaced where it stands', async (source, text) => {
  expect(await textOf(source)).toBe(text);
});

test('BOD-011 a URL variable renders to the URL itself, with nothing escaped or put around it', async () => {
  expect(await textOf('Yours: {{var_url}}')).toBe('Yours: https://example.com/ada?a=1&b=2');
  expect(await textOf('{{var_join}}')).toBe('https://example.com/join/ada?x=1&y=2');
});

test('BOD-011 a text is plain: tags, references and names in it are letters', async () => {
  expect(await textOf('<p>Fish &amp; chips</p> for {{var_b}}')).toBe(
    '<p>Fish &amp; chips</p> for <Byron> & co',
  );
});

test('BOD-011 link_var_ is for emails and refused in a text, wherever it stands', async () => {
  const more = { variables: { link_var_a: portal } };
  for (const source of ['{{link_var_a}}', '<a href="{{link_var_a}}">x</a>']) {
    const errors = await wrongWith(setting, 'message_body', source, more);
    expect(errors).toMatchObject([{ pointer: '/message_body', code: 'placeholder_place' }]);
  }
});

test('BOD-012 BOD-013 what is wrong in a text is named with its line and column', async () => {
  const [error] = await wrongWith(setting, 'message_body', 'One\nTwo {{first_name}}');
  const detail = expect.stringMatching(/^Line 2, column 5: \{\{first_name\}\} is not a placeholder/);
  expect(error).toMatchObject({ pointer: '/message_body', code: 'template_syntax', detail });
  const [tooLong] = await wrongWith(setting, 'message_body', 'x'.repeat(2_001));
  expect(tooLong).toMatchObject({ pointer: '/message_body', code: 'too_big' });
});
