import { beforeAll, expect, test } from 'vitest';
import { newDraft, plan } from '../support/broadcast.ts';
import { useWorld } from '../support/world.ts';
import { first, newSetting, portal, wrongWith, type Setting } from './body-setting.ts';
import { previewFor, refusedNew } from '../broadcasts/draft/draft-ways.ts';
import { newConfig, setProperty } from '../broadcasts/plan/plan-support.ts';

const world = useWorld();

let setting: Setting;
beforeAll(async () => {
  setting = await newSetting(world());
});

const address = 'https://example.com/ada?a=1&amp;b=2';
const image = '<img src="https://example.com/a.png" alt="A">';

test('BOD-006 a link variable renders as the address of its link, in the email and in its plain text', async () => {
  const { org, person } = setting;
  const html =
    '<p><a href="{{link_var_a}}">For {{var_a}}</a> and <a href=\'{{link_var_a}}\' title="x">again</a></p>';
  const { id } = await newDraft(org, {
    audience: 'everyone',
    html,
    variables: { link_var_a: portal, var_a: first },
  });
  const rendered = `<p><a href="${address}">For Ada</a> and <a href="${address}" title="x">again</a></p>`;
  expect((await plan(org, id)).preview.body).toBe(rendered);
  const { message, text } = await previewFor(org, id, person);
  expect(message.replaceAll(' style="color:#1d4ed8"', '')).toContain(rendered);
  expect(text).toMatch(/^For Ada \(https:\/\/example\.com\/ada\?a=1&b=2\) and again \(https:/);
});

test('BOD-009 a linked image is taken, with an address or with a link variable', async () => {
  const { org } = setting;
  for (const [href, sent] of [
    ['https://example.com/', 'https://example.com/'],
    ['{{link_var_a}}', address],
  ] as const) {
    const html = `<p><a href="${href}">${image}</a></p>`;
    const { id } = await newDraft(org, { audience: 'everyone', html, variables: { link_var_a: portal } });
    expect((await plan(org, id)).preview.body).toBe(`<p><a href="${sent}">${image}</a></p>`);
  }
});

test('BOD-006 BOD-019 without a value the link is the fallback, and a value that is no link is none', async () => {
  const org = await world().newOrg();
  await newConfig(org, 'portal');
  const html = '<p><a href="{{link_var_a}}">a</a> <a href="{{link_var_b}}">b</a></p>';
  const variables = { link_var_a: portal, link_var_b: { ...portal, fallback: 'https://example.com/all' } };
  const { id } = await newDraft(org, { audience: 'everyone', html, variables });
  const person = await org.person({ email: 'ada@example.com' });
  const withoutValue = '<p><a>a</a> <a href="https://example.com/all">b</a></p>';
  expect((await plan(org, id)).preview.body).toBe(withoutValue);
  for (const value of [
    'javascript:alert(1)',
    ' JAVASCRIPT:alert(1)',
    'data:text/html,x',
    'not a link',
    '"><script>',
  ]) {
    await setProperty(org, person, 'portal', value);
    expect((await plan(org, id)).preview.body).toBe(withoutValue);
  }
  await setProperty(org, person, 'portal', 'https://example.com/own');
  const own = '<a href="https://example.com/own">';
  expect((await plan(org, id)).preview.body).toBe(`<p>${own}a</a> ${own}b</a></p>`);
});

test('BOD-006 BOD-019 the fallback of a link is a link', async () => {
  for (const fallback of ['javascript:alert(1)', 'soon', '/here', '{{var_a}}']) {
    const variables = { link_var_a: { ...portal, fallback } };
    const errors = await wrongWith(setting, 'html', '<p><a href="{{link_var_a}}">x</a></p>', { variables });
    expect(errors).toMatchObject([{ pointer: '/variables/link_var_a/fallback', code: 'invalid_link' }]);
  }
});

test.each([
  'https://example.com/{{link_var_a}}',
  '{{link_var_a}}/more',
  '{{link_var_a}}{{link_var_a}}',
  ' {{link_var_a}}',
  '{{link_var_a}}\n',
  'https://example.com/?who={{var_a}}',
  '{{var_a}}',
  'mailto:{{var_a}}',
])('BOD-007 the href %j, of which a placeholder is a part, is refused', async (href) => {
  const variables = { link_var_a: portal, var_a: first };
  const errors = await wrongWith(setting, 'html', `<p><a href="${href}">x</a></p>`, { variables });
  expect(errors).toMatchObject([{ pointer: '/html', code: 'placeholder_place' }]);
});

const link = '<p><a href="{{link_var_a}}">x</a></p>';

test.each([
  ['text before it', `https://example.com/${portal.variable}`],
  ['text after it', `${portal.variable}/more`],
  ['blanks around it', ` ${portal.variable} `],
  ['two paths', `${portal.variable}${first.variable}`],
  ['no braces', 'context.root_context.org_user.custom_properties.portal'],
  ['an address', 'https://example.com/'],
  ['nothing', ''],
])('BOD-008 a link variable with %s is refused, naming the paths that can be one', async (_, variable) => {
  const errors = await wrongWith(setting, 'html', link, { variables: { link_var_a: { variable } } });
  expect(errors).toMatchObject([{ pointer: '/variables/link_var_a/variable', code: 'not_one_path' }]);
  expect(errors[0]!.allowed).toContain(portal.variable);
});

test.each([{ template: 'https://example.com/{{var}}' }, { date_format: 'yyyy' }, { text_format: 'name' }])(
  'BOD-008 nor is anything put around a link: %j',
  async (around) => {
    const [at] = Object.keys(around);
    const errors = await wrongWith(setting, 'html', link, {
      variables: { link_var_a: { ...portal, ...around } },
    });
    expect(errors).toMatchObject([{ pointer: `/variables/link_var_a/${at}`, code: 'not_for_links' }]);
  },
);

test('BOD-008 a link variable reads one path that can hold a link, and no number or date', async () => {
  const { org } = setting;
  for (const field of ['mrr', 'created_at', 'email_engagement_score']) {
    const variables = { link_var_a: { variable: `{{context.root_context.org_user.${field}}}` } };
    const errors = await refusedNew(world(), org, { audience: 'everyone', html: link, variables });
    expect(errors).toMatchObject([{ pointer: '/variables/link_var_a/variable', code: 'not_a_link' }]);
  }
});
