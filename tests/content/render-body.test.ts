import { parseFragment } from 'parse5';
import { describe, expect, test } from 'vitest';
import { renderHtml, renderText } from '../../src/domain/content/body/render-body.ts';
import { accepted } from './bodies.ts';
import { hostileValues } from './hostile-values.ts';
import { outline, wrongWithOutput } from './judge-output.ts';

const { pieces, plain } = accepted(
  '<p>Hi {{var_a}}, <strong>{{var_b}}</strong> <a href="{{link_var_l}}" title="t">go</a> <a href="{{link_var_l}}"><img src="https://a.co/x.png"></a></p>',
);
const html = (values: Record<string, string>): string => renderHtml(pieces, new Map(Object.entries(values)));
const text = (values: Record<string, string>): string => renderText(plain, new Map(Object.entries(values)));

const noLink = '<p>Hi , <strong></strong> <a title="t">go</a> <a><img src="https://a.co/x.png"></a></p>';

test('values stand where their placeholders stood', () => {
  const values = { var_a: 'Zoë', var_b: 'Tom & Ann', link_var_l: ' https://a.co/?a=1&b=2 ' };
  expect(html(values)).toBe(
    '<p>Hi Zoë, <strong>Tom &amp; Ann</strong> <a href="https://a.co/?a=1&amp;b=2" title="t">go</a> <a href="https://a.co/?a=1&amp;b=2"><img src="https://a.co/x.png"></a></p>',
  );
  expect(text(values)).toBe('Hi Zoë, Tom & Ann go (https://a.co/?a=1&b=2) (https://a.co/?a=1&b=2)');
});

test('a value that is missing is empty', () => {
  expect(html({})).toBe(noLink);
  expect(text({})).toBe('Hi ,  go ');
});

describe.each(hostileValues.map((value) => [JSON.stringify(value.slice(0, 60)), value] as const))(
  'the value %s',
  (_, value) => {
    test('is text, and the same text to whoever reads it', () => {
      const output = html({ var_a: value, var_b: value });
      expect(wrongWithOutput(output)).toBeUndefined();
      const expected = value
        .replaceAll(/[\t\n\r\u2028\u2029]+/g, ' ')
        .replaceAll(/[\0-\x1f\x7f-\x9f\u202A-\u202E\u2066-\u2069\uD800\uFFFE]/g, ''); // oxlint-disable-line no-control-regex
      const tree = outline(parseFragment(output));
      expect(tree).toMatchObject([
        ['p', '', [`Hi ${expected}, `, ['strong', '', expected === '' ? [] : [expected]], ' ', {}, ' ', {}]],
      ]);
    });

    test('is no link', () => {
      expect(html({ link_var_l: value })).toBe(noLink);
      expect(text({ link_var_l: value })).toBe('Hi ,  go ');
    });

    test('expands no placeholder', () => {
      const output = html({ var_a: value, var_b: 'BBB', link_var_l: 'https://a.co/LLL' });
      expect(output.split('BBB')).toHaveLength(2);
      expect(output.split('LLL')).toHaveLength(3);
    });

    test('keeps line ends and tabs in plain text, and no other control characters', () => {
      const output = text({ var_a: value });
      expect(output).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u);
      expect(output.split('\n')).toHaveLength(value.split('\n').length);
    });
  },
);

test.each([
  'https://a.co/',
  'HTTP://a.co',
  'mailto:a@b.co?subject=x',
  'tel:+15551234567',
  '\n https://a.co/x \t',
])('the value %j is a link', (value) => {
  expect(html({ link_var_l: value })).toContain(`<a href="${value.trim()}" title="t">go</a>`);
});

test('a mail or telephone link is written in plain text as whom it reaches', () => {
  expect(text({ link_var_l: 'mailto:a@b.co?subject=x' })).toContain('go (a@b.co)');
  expect(text({ link_var_l: 'tel:+15551234567' })).toContain('go (+15551234567)');
});

test('what is stored as JSON renders the same', () => {
  const stored = JSON.parse(JSON.stringify(pieces)) as typeof pieces;
  const values = new Map([
    ['var_a', '<x>'],
    ['link_var_l', 'https://a.co/'],
  ]);
  expect(renderHtml(stored, values)).toBe(renderHtml(pieces, values));
});
