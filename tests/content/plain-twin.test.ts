import { expect, test } from 'vitest';
import { renderText } from '../../src/domain/content/body/render-body.ts';
import { accepted, allGood } from './bodies.ts';

const values = new Map([
  ['var_a', 'Zoë'],
  ['link_var_l', 'https://l.co/'],
]);
const plain = (body: string, given = values): string => renderText(accepted(body).plain, given);

test.each<[what: string, body: string, expected: string]>([
  ['paragraphs', '<p>one</p><p>two</p>', 'one\n\ntwo'],
  ['headings', '<h1>one</h1>\n<p>two</p>\n<h2>three</h2>', 'one\n\ntwo\n\nthree'],
  ['text between blocks', 'one<p>two</p>three <em>four</em>', 'one\n\ntwo\n\nthree four'],
  ['blanks', '<p>\n  one \t <strong> two</strong>\n three</p>', 'one two three'],
  ['blanks that are meant', '<p>one&nbsp;two</p>', 'one\u00A0two'],
  ['line ends', '<p>one<br>\n two <br><br> three<br></p><p><br>four</p>', 'one\ntwo\n\nthree\n\nfour'],
  ['a rule', '<p>one</p><hr><p>two</p>', 'one\n\n--------------------\n\ntwo'],
  ['a list', '<ul><li>one</li><li>two</li></ul>', '- one\n- two'],
  ['a numbered list', '<p>x</p><ol><li>one<li>two</ol><p>y</p>', 'x\n\n1. one\n2. two\n\ny'],
  ['lists in lists', '<ol><li>one<ul><li>a<li>b</ul></li><li>two</ol>', '1. one\n   - a\n   - b\n2. two'],
  ['blocks in an item', '<ul><li><p>one<p>two<br>three</ul>', '- one\n\n  two\n  three'],
  [
    'a link',
    '<p>See <a href="https://a.co/?a&amp;b"> our page</a>.</p>',
    'See our page (https://a.co/?a&b).',
  ],
  ['a link that says its address', '<p><a href="https://a.co">https://a.co</a></p>', 'https://a.co'],
  [
    'a mail link',
    '<a href="mailto:a@b.co?subject=x">write</a> <a href="mailto:a@b.co">a@b.co</a>',
    'write (a@b.co) a@b.co',
  ],
  ['a mail link to nobody yet', '<a href="mailto:?subject=x">share</a>', 'share (mailto:?subject=x)'],
  ['a telephone link', '<a href="tel:+1555">call</a> <a href="TEL:+1555">+1555</a>', 'call (+1555) +1555'],
  [
    'an image',
    '<p><img src="https://a.co/x.png" alt=" A  dog "> x <img src="https://a.co/y.png"></p>',
    'A dog x',
  ],
  [
    'an image that is a link',
    '<a href="https://a.co/"><img src="https://a.co/x.png" alt="dog"></a>',
    'dog (https://a.co/)',
  ],
  [
    'an image without words that is a link',
    '<p>x <a href="https://a.co/"><img src="https://a.co/x.png"></a></p>',
    'x https://a.co/',
  ],
  ['a placeholder', '<p>Hi {{var_a}} , {{var_a}}{{var_a}}!</p>', 'Hi Zoë , ZoëZoë!'],
  ['a link placeholder', '<p><a href="{{link_var_l}}">{{var_a}}</a>, bye</p>', 'Zoë (https://l.co/), bye'],
  [
    'a link placeholder about nothing',
    '<p><a href="{{link_var_l}}"><img src="https://a.co/x.png"></a></p>',
    '(https://l.co/)',
  ],
  [
    'one about nothing, in a sentence',
    '<p>go <a href="{{link_var_l}}"><img src="https://a.co/x.png"></a> now</p>',
    'go (https://l.co/) now',
  ],
  ['markup that is text', '<p>&lt;b&gt; &amp;amp; {a}</p>', '<b> &amp; {a}'],
  ['nothing', '<p></p><ul></ul> <p> </p>', ''],
])('%s', (_, body, expected) => {
  expect(plain(body)).toBe(expected);
});

test('a link without a value leaves nothing behind', () => {
  expect(plain('<p><a href="{{link_var_l}}">join</a>, bye</p>', new Map())).toBe('join, bye');
});

test('it names the same placeholders as the HTML', () => {
  for (const body of allGood) {
    const { plain: pieces, placeholders } = accepted(body);
    const names = pieces.flatMap((piece) =>
      typeof piece === 'string' ? [] : 'text' in piece ? piece.text : piece.link,
    );
    expect(new Set(names), `${body}`).toEqual(new Set(placeholders));
  }
});

test('it holds no markup and no blank at either end', () => {
  for (const body of allGood) {
    const text = plain(body);
    expect(text, `${body}`).toBe(text.replaceAll(/^[ \n]+|[ \n]+$/g, ''));
  }
});
