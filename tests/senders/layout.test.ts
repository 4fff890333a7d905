import { parse, type DefaultTreeAdapterMap } from 'parse5';
import { describe, expect, test } from 'vitest';
import { layoutProblem, wrapHtml, wrapText, type Layout } from '../../src/domain/content/layout.ts';

const layout: Layout = {
  company_name: 'Acme, Inc.',
  logo_url: 'https://cdn.example.com/logo.png?a=1&b=2',
  logo_alt: 'Acme',
  footer_text: 'You get this because you signed up.\nWrite to us any time.',
  postal_address: '1 Main St\r\nSpringfield',
};
const bare: Layout = {
  company_name: null,
  logo_url: null,
  logo_alt: null,
  footer_text: null,
  postal_address: null,
};
const content = {
  subject: 'Hello',
  previewText: 'A first look',
  body: '<p>Dear <strong>you</strong></p>',
  unsubscribeUrl: 'https://u.example.com/x?a=1&b=2',
};

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];

/** The page as a mail reader takes it: every element of a kind, and what went wrong in reading it. */
function read(html: string): { all: (name: string) => Element[]; text: string; errors: string[] } {
  const errors: string[] = [];
  const page = parse(html, { onParseError: ({ code }) => errors.push(code) });
  const elements: Element[] = [];
  let text = '';
  const walk = (node: Node): void => {
    if ('tagName' in node) elements.push(node);
    if (node.nodeName === '#text') text += (node as DefaultTreeAdapterMap['textNode']).value;
    if ('childNodes' in node) node.childNodes.forEach(walk);
  };
  walk(page);
  return { all: (name) => elements.filter(({ tagName }) => tagName === name), text, errors };
}

const attribute = (element: Element | undefined, name: string): string | undefined =>
  element?.attrs.find((one) => one.name === name)?.value;

describe('the page around an email', () => {
  const html = wrapHtml(layout, content);
  const page = read(html);

  test('is HTML without a fault, with its language, its letters and its subject', () => {
    expect(page.errors).toEqual([]);
    expect(attribute(page.all('html')[0], 'lang')).toBe('en');
    expect(attribute(page.all('meta')[0], 'charset')).toBe('utf-8');
    expect(html).toContain('<title>Hello</title>');
  });

  test('lays out with tables that are no tables to a screen reader, 600 pixels wide at most', () => {
    const tables = page.all('table');
    expect(tables.length).toBeGreaterThan(1);
    expect(tables.filter((table) => attribute(table, 'role') !== 'presentation')).toEqual([]);
    expect(tables.map((table) => attribute(table, 'width'))).toContain('600');
    expect(html).toContain('max-width:600px');
  });

  test('has colors for the dark', () => {
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('@media (prefers-color-scheme:dark)');
  });

  test('holds the logo, the body as it is, and in its footer company, address and text, line by line', () => {
    const [logo] = page.all('img');
    expect(attribute(logo, 'src')).toBe(layout.logo_url);
    expect(attribute(logo, 'alt')).toBe('Acme');
    expect(html).toContain(content.body);
    expect(html).toContain('1 Main St<br>Springfield');
    expect(html).toContain('signed up.<br>Write to us');
    expect(page.text).toContain('Acme, Inc.');
  });

  test('ends with the link to unsubscribe', () => {
    const [link, ...more] = page.all('a');
    expect(more).toEqual([]);
    expect(attribute(link, 'href')).toBe(content.unsubscribeUrl);
  });

  test('shows the preview to the inbox and not in the message, before everything else', () => {
    const [hidden] = page.all('div');
    expect(attribute(hidden, 'style')).toContain('display:none');
    expect(html.indexOf('A first look')).toBeLessThan(html.indexOf('<table'));
    for (const previewText of ['', null])
      expect(read(wrapHtml(layout, { ...content, previewText })).all('div')).toEqual([]);
  });

  test('costs little of the 102 KB after which some inboxes cut', () => {
    expect(Buffer.byteLength(wrapHtml(layout, { ...content, body: '' }))).toBeLessThan(5_000);
  });
});

test('without a logo there is no image, and without a word for it the company stands for it', () => {
  expect(read(wrapHtml({ ...layout, logo_url: null }, content)).all('img')).toEqual([]);
  const [logo] = read(wrapHtml({ ...layout, logo_alt: null }, content)).all('img');
  expect(attribute(logo, 'alt')).toBe('Acme, Inc.');
});

test('an empty layout still has the body and the link', () => {
  const page = read(wrapHtml(bare, content));
  expect(page.errors).toEqual([]);
  expect(page.all('p')).toHaveLength(1);
  expect(page.all('a')).toHaveLength(1);
  expect(wrapText(bare, { body: 'Hi', unsubscribeUrl: 'https://u.example.com' })).toBe(
    'Hi\n\n---\n\nUnsubscribe: https://u.example.com\n',
  );
});

test('nothing but the body is markup, whatever it holds', () => {
  const hostile = `"'><script>alert(1)</script>&amp;<!--</title></style>`;
  const page = read(
    wrapHtml(
      {
        company_name: hostile,
        logo_url: `https://x.example/${hostile}`,
        logo_alt: hostile,
        footer_text: `${hostile}\n${hostile}`,
        postal_address: hostile,
      },
      { subject: hostile, previewText: hostile, body: '', unsubscribeUrl: `https://x.example/${hostile}` },
    ),
  );
  expect(page.errors).toEqual([]);
  expect(page.all('script')).toEqual([]);
  expect(page.text.split(hostile)).toHaveLength(7); // title, preview, company, address and the footer's two lines
  expect(attribute(page.all('img')[0], 'alt')).toBe(hostile);
  expect(attribute(page.all('a')[0], 'href')).toBe(`https://x.example/${hostile}`);
});

test('the plain twin says the same without markup', () => {
  expect(wrapText(layout, { body: 'Dear you\n\n', unsubscribeUrl: content.unsubscribeUrl })).toBe(
    [
      'Dear you',
      '---',
      'Acme, Inc.',
      '1 Main St\nSpringfield',
      'You get this because you signed up.\nWrite to us any time.',
      `Unsubscribe: ${content.unsubscribeUrl}\n`,
    ].join('\n\n'),
  );
});

test.each([null, '', ' \n'])('a layout with the postal address %j is not complete', (postal_address) => {
  expect(layoutProblem({ ...layout, postal_address })).toMatch(/no postal address.*PUT \/v1\/email-layout/);
});

test('a postal address is all a layout needs', () => {
  expect(layoutProblem({ ...bare, postal_address: '1 Main St' })).toBeUndefined();
});
