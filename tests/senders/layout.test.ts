import { parse, type DefaultTreeAdapterMap } from 'parse5';
import { describe, expect, test } from 'vitest';
import { contrast, textOn } from '../../src/kernel/color.ts';
import { layoutProblem, wrapHtml, wrapText, type Layout } from '../../src/domain/content/body/layout.ts';

const layout: Layout = {
  company_name: 'Acme, Inc.',
  logo_url: 'https://cdn.example.com/logo.png?a=1&b=2',
  logo_alt: 'Acme',
  footer_text: 'You get this because you signed up.\nWrite to us any time.',
  postal_address: '1 Main St\r\nSpringfield',
  link_color: null,
  button_color: null,
};
const bare: Layout = {
  company_name: null,
  logo_url: null,
  logo_alt: null,
  footer_text: null,
  postal_address: null,
  link_color: null,
  button_color: null,
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
        link_color: null,
        button_color: null,
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

describe('links, buttons and pictures of the body', () => {
  const body =
    '<p><a href="https://a.co" title="&lt;a href=x&gt;">one</a> <a class="button" href="https://a.co">two</a> ' +
    '<a>three</a> <a class="button">four</a> <img src="https://a.co/x.png"></p>';
  const colored = { ...layout, link_color: '#9d174d', button_color: '#ffcc00' };
  const stylesIn = (of: Layout): (string | undefined)[] => {
    const page = read(wrapHtml(of, { ...content, body }));
    expect(page.errors).toEqual([]);
    return page.all('a').map((link) => attribute(link, 'style'));
  };

  test('have the organization’s colors on themselves, and a button the text that is read on it', () => {
    const [one, two, three, four] = stylesIn(colored);
    expect(one).toBe('color:#9d174d');
    expect(two).toMatch(/display:inline-block.*background:#ffcc00;color:#000000$/);
    expect([three, four]).toEqual([undefined, undefined]); // they lead nowhere and look so
  });

  test('have ours without any, and a button that of links', () => {
    expect(stylesIn(layout).slice(0, 2)).toEqual([
      'color:#1d4ed8',
      expect.stringMatching(/background:#1d4ed8;color:#ffffff$/),
    ]);
    expect(stylesIn({ ...layout, link_color: '#9d174d' })[1]).toMatch(/background:#9d174d;color:#ffffff$/);
  });

  test('can be read in the dark, whatever the color', () => {
    for (const link_color of [null, '#000000', '#9d174d', '#0000ff', '#00703c']) {
      const html = wrapHtml({ ...layout, link_color }, { ...content, body });
      const [, dark = ''] = /\.text a\{color:(#[0-9a-f]{6})!important\}/.exec(html) ?? [];
      expect(contrast(dark, '#27272a')).toBeGreaterThanOrEqual(4.5);
    }
  });
});

test('contrast is that of WCAG: 21 of black on white, and on every ground black or white can be read', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  for (let gray = 0; gray < 256; gray++) {
    const ground = `#${gray.toString(16).padStart(2, '0').repeat(3)}`;
    expect(contrast(textOn(ground), ground)).toBeGreaterThanOrEqual(4.5);
  }
});
