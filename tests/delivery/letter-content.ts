import { styleBody } from '../../src/domain/content/body/style-body.ts';
import { custom, user } from '../content/paths.ts';

export const layout = {
  company_name: 'Fish & Sons',
  logo_url: 'https://example.com/logo.png?a=1&b=2',
  logo_alt: 'The "fish"',
  footer_text: 'You know us.\nWe know you.',
  postal_address: '1 Main Street, <Springfield>',
};

/** An email with something of everything that a body can hold and a reader can follow. */
export const content = {
  subject: 'Tea & <cake>, “half” price für alle',
  preview_text: 'Fish & chips, “half” price {today}',
  html:
    '<h1>Hello {{var_name}}</h1><p>Your tier: {{var_tier}}. <a href="https://example.com/offer?a=1&amp;b=2">The offer</a>, ' +
    '<a href="{{link_var_page}}">your page</a> or <a href="mailto:help@example.com">help</a></p>' +
    '<p><a href="https://example.com/cat"><img src="https://example.com/cat.png?x=1&amp;y=2" alt="A cat"></a></p>',
  variables: {
    var_name: {
      variable: user('first_name'),
      fallback: 'dear reader',
      template: '{{var}}!',
      text_format: 'name',
    },
    var_tier: { variable: custom('tier'), fallback: 'none & "free"', template: 'level {{var}}' },
    link_var_page: { variable: custom('page'), fallback: 'https://example.com/welcome' },
  },
};

/** Whom it goes to, and what each is to read; the second has nothing but an address. */
export const readers = [
  {
    email: 'ok-zoe@mbox.test',
    first_name: 'ZOË',
    properties: { tier: `<b>"gold" & 'old'</b>`, page: `https://zoe.example/it's?a=1&b=2` },
    links: [
      'https://example.com/offer?a=1&b=2',
      `https://zoe.example/it's?a=1&b=2`,
      'https://example.com/cat',
    ],
    html:
      '<h1>Hello Zoë!</h1><p>Your tier: level &lt;b&gt;&quot;gold&quot; &amp; &#39;old&#39;&lt;/b&gt;. ' +
      '<a href="https://example.com/offer?a=1&amp;b=2">The offer</a>, ' +
      '<a href="https://zoe.example/it&#39;s?a=1&amp;b=2">your page</a> or <a href="mailto:help@example.com">help</a></p>' +
      '<p><a href="https://example.com/cat"><img src="https://example.com/cat.png?x=1&amp;y=2" alt="A cat"></a></p>',
    text:
      `Hello Zoë!\n\nYour tier: level <b>"gold" & 'old'</b>. The offer (https://example.com/offer?a=1&b=2), ` +
      `your page (https://zoe.example/it's?a=1&b=2) or help (help@example.com)\n\nA cat (https://example.com/cat)`,
  },
  {
    email: 'ok-plain@mbox.test',
    properties: {},
    links: ['https://example.com/offer?a=1&b=2', 'https://example.com/welcome', 'https://example.com/cat'],
    html:
      '<h1>Hello dear reader</h1><p>Your tier: none &amp; &quot;free&quot;. ' +
      '<a href="https://example.com/offer?a=1&amp;b=2">The offer</a>, ' +
      '<a href="https://example.com/welcome">your page</a> or <a href="mailto:help@example.com">help</a></p>' +
      '<p><a href="https://example.com/cat"><img src="https://example.com/cat.png?x=1&amp;y=2" alt="A cat"></a></p>',
    text:
      'Hello dear reader\n\nYour tier: none & "free". The offer (https://example.com/offer?a=1&b=2), ' +
      'your page (https://example.com/welcome) or help (help@example.com)\n\nA cat (https://example.com/cat)',
  },
] as const;

/** The body as the layout shows it. */
export const styled = (body: string): string => styleBody(body, { link_color: null, button_color: null });

/** The parts of the page in their order, around a reader's body. */
export const pageAround = (body: string): string[] => [
  '<!doctype html>',
  '<title>Tea &amp; &lt;cake&gt;, “half” price für alle</title>',
  '<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">Fish &amp; chips, “half” price {today}&#847;',
  '<img src="https://example.com/logo.png?a=1&amp;b=2" alt="The &quot;fish&quot;"',
  styled(body),
  'Fish &amp; Sons',
  '1 Main Street, &lt;Springfield&gt;',
  'You know us.<br>We know you.',
  '>Unsubscribe</a>',
  '</html>',
];

export const textAround = (body: string, unsubscribe: string): string =>
  `${body}\n\n---\n\nFish & Sons\n\n1 Main Street, <Springfield>\n\nYou know us.\nWe know you.\n\nUnsubscribe: ${unsubscribe}\n`;
