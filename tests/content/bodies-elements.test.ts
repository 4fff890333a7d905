import { beforeAll, expect, test } from 'vitest';
import { custom } from './paths.ts';
import { newDraft, plan, readyDraft, setLayout } from '../support/broadcast.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { newSetting, wrongWith, type Setting } from './body-setting.ts';
import { create, faces, previewFor, read, update } from '../broadcasts/draft/draft-ways.ts';

const world = useWorld();

let setting: Setting;
beforeAll(async () => {
  setting = await newSetting(world());
});

const image = '<img src="https://example.com/a.png" alt="A" width="40" height="20">';
const allowed: Readonly<Record<string, string>> = {
  p: '<p>Text</p>',
  h1: '<h1>Text</h1>',
  h2: '<h2>Text</h2>',
  h3: '<h3>Text</h3>',
  strong: '<p>A <strong>strong</strong> word</p>',
  em: '<p>An <em>emphasised</em> word</p>',
  a: '<p><a href="https://example.com/?a=1&amp;b=2">a link</a></p>',
  ul: '<ul><li>one</li><li>two</li></ul>',
  ol: '<ol><li>one</li><li>two</li></ol>',
  li: '<ul><li><p>one</p><ol><li>within</li></ol></li></ul>',
  img: `<p>${image}</p>`,
  hr: '<p>above</p><hr><p>below</p>',
  br: '<p>one<br>two</p>',
};

/** What is sent of a body that creation and change take over both faces, and keep as it was sent. */
async function sentOf(html: string): Promise<Set<string>> {
  const { org } = setting;
  const sent = new Set<string>();
  for (const face of faces) {
    const made = await create[face](org, { audience: 'everyone', html });
    expect(made.body).toMatchObject({ created: true, broadcast: { html } });
    const changed = await newDraft(org, { audience: 'everyone' });
    expect((await update[face](org, changed.id, { html })).status).toBe(200);
    expect((await read(org, changed.id)).html).toBe(html);
    for (const { id } of [made.body.broadcast, changed]) sent.add((await plan(org, id)).preview.body);
  }
  return sent;
}

test.each(Object.entries(allowed))('BOD-001 <%s> is allowed, and sent as it was written', async (_, html) => {
  expect(await sentOf(html)).toEqual(new Set([html]));
});

test('BOD-001 all thirteen stand together in one body', async () => {
  const html = Object.values(allowed).join('\n');
  expect(await sentOf(html)).toEqual(new Set([html]));
});

test('BOD-001 the thirteen are those of the specification', () => {
  const names = ['p', 'h1', 'h2', 'h3', 'strong', 'em', 'a', 'ul', 'ol', 'li', 'img', 'hr', 'br'];
  expect(Object.keys(allowed)).toEqual(names);
});

const others =
  'div span table tbody tr td th h4 h5 h6 b i u s font center blockquote pre code style iframe object embed video audio ' +
  'source picture svg math canvas link meta base title head body html template slot noscript button input select ' +
  'textarea label fieldset nav section article header footer main figure details summary dialog map area x-card';

const everySixth = (_: string, at: number): boolean => isLong || at % 6 === 0;

test.each(others.split(' ').filter(everySixth))(
  'BOD-002 <%s> is refused, naming those that are allowed',
  async (name) => {
    for (const html of [`<p>Before</p>\n<${name}>within</${name}>`, `<p>\n<${name.toUpperCase()}></p>`]) {
      const [error] = await wrongWith(setting, 'html', html);
      expect(error).toMatchObject({ pointer: '/html', code: 'element_not_allowed' });
      expect(error!.detail).toMatch(/^Line 2, column 1: /);
      expect(error!.detail).toContain('Use p, h1, h2, h3, strong, em, a, ul, ol, li, img, hr, br.');
    }
  },
);

test('BOD-002 a long body is judged as a short one is, and one that is too long is refused', async () => {
  const { org } = setting;
  const long = '<p>0123456789</p>'.repeat(10_000);
  const { id } = await newDraft(org, { audience: 'everyone', html: long });
  expect((await read(org, id)).html).toBe(long);
  const [error] = await wrongWith(setting, 'html', `${long}\n<div>x</div>`);
  expect(error).toMatchObject({
    code: 'element_not_allowed',
    detail: expect.stringMatching(/^Line 2, column 1: /),
  });
  const [tooLong] = await wrongWith(setting, 'html', `<p>${'x'.repeat(262_144)}</p>`);
  expect(tooLong).toMatchObject({ pointer: '/html', code: 'too_big' });
  const [tooManyBytes] = await wrongWith(setting, 'html', `<p>${'€'.repeat(90_000)}</p>`);
  expect(tooManyBytes).toMatchObject({ pointer: '/html', code: 'too_long' });
});

test('BOD-002 many mistakes are named at once, twenty at most', async () => {
  const errors = await wrongWith(setting, 'html', '<div></div><span></span>\n<p><b>x</b></p>');
  expect(errors.map(({ detail }) => /<\w+>/.exec(detail)![0])).toEqual(['<div>', '<span>', '<b>']);
  expect(await wrongWith(setting, 'html', '<div></div>'.repeat(100))).toHaveLength(20);
});

test('BOD-001 markup that a browser would put right is refused instead', async () => {
  for (const [html, code] of [
    ['<p>one<h1>two</h1></p>', 'nesting'],
    ['<ul>loose</ul>', 'nesting'],
    ['<p><strong>open</p>', 'unclosed'],
    ['<p>closed</p></p>', 'stray_end_tag'],
    ['<p>a < b</p>', 'malformed'],
    ['<!-- note --><p>x</p>', 'comment'],
    ['<!doctype html><p>x</p>', 'doctype'],
    ['<p class="x">x</p>', 'attribute_not_allowed'],
    ['<p><a class="x" href="https://example.com">x</a></p>', 'attribute_not_allowed'],
    ['<p class="button">x</p>', 'attribute_not_allowed'],
    ['<p style="color:red">x</p>', 'attribute_not_allowed'],
    ['<p><a>nowhere</a></p>', 'link_not_allowed'],
    ['<p><img src="http://example.com/a.png"></p>', 'image_not_allowed'],
    ['<p>a\u0007b</p>', 'control_character'],
  ] as const) {
    expect(await wrongWith(setting, 'html', html)).toMatchObject([{ pointer: '/html', code }]);
  }
});

test('BOD-001 a link with the class button is one: it stays so in the body, and looks so in the email', async () => {
  const org = await world().newOrg();
  const html =
    '<p><a href="{{link_var_a}}" class="button">Join</a> <a class="button" href="https://a.co">Read</a></p>';
  const variables = { link_var_a: { variable: custom('page'), fallback: '' } };
  await org.rest('POST /v1/property-configs', { key: 'page', name: 'Page', type: 'string' });
  const { id } = await readyDraft(world(), org, { html, variables });
  await setLayout(org, { button_color: '#ffcc00' });
  const { preview } = await plan(org, id);
  expect(preview.body).toBe(
    '<p><a class="button">Join</a> <a class="button" href="https://a.co">Read</a></p>',
  );
  const { message } = await previewFor(org, id, preview.person_id);
  expect(message).toMatch(/<a class="button">Join<\/a>/); // without a value it leads nowhere, and looks so
  expect(message).toMatch(
    /<a class="button" href="https:\/\/a.co" style="[^"]*background:#ffcc00;color:#000000">/,
  );
});
