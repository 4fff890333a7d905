import { expect, test } from 'vitest';
import { checkText } from '../../src/domain/content/body/check-text.ts';
import { refused } from './bodies.ts';

/** Each finding as `line:column code`. */
const places = (body: string): string[] =>
  refused(body).map(({ line, column, code }) => `${line}:${column} ${code}`);

test.each<[what: string, body: string, ...expected: string[]]>([
  ['an element', '<p>x</p><div>y</div>', '1:9 element_not_allowed'],
  ['an element on a later line', '<p>x</p>\n\n  <div>y</div>', '3:3 element_not_allowed'],
  ['after CR LF', '<p>x</p>\r\n\r\n  <div>y</div>', '3:3 element_not_allowed'],
  ['after CR alone', '<p>x</p>\r\r  <div>y</div>', '3:3 element_not_allowed'],
  ['after LF CR, which are two line ends', '<p>x</p>\n\r<div>y</div>', '3:1 element_not_allowed'],
  ['after letters of two and three bytes', '<p>é你</p><div>y</div>', '1:10 element_not_allowed'],
  ['after an emoji, which is one character', '<p>😀</p><div>y</div>', '1:9 element_not_allowed'],
  ['after a family, which is five', '<p>👩‍👩‍👧</p><div>y</div>', '1:13 element_not_allowed'],
  [
    'an attribute',
    '<p\n  class="x"\n  id="y">z</p>',
    '2:3 attribute_not_allowed',
    '3:3 attribute_not_allowed',
  ],
  ['an attribute after an emoji in another', '<a title="😀" href="x">z</a>', '1:14 link_not_allowed'],
  ['a second attribute', '<a href="https://a.co"\n  href="https://b.co">x</a>', '2:3 duplicate_attribute'],
  ['a link', '<p>x <a href="javascript:1">y</a></p>', '1:9 link_not_allowed'],
  ['a link without href', '<p>x <a title="y">z</a></p>', '1:6 link_not_allowed'],
  ['an image', '<p>\n<img alt="x" src="http://a.co/x.png"></p>', '2:14 image_not_allowed'],
  ['template syntax', '<p>Hi {{first_name}}!</p>', '1:7 template_syntax'],
  ['after references', '<p>&amp;&copy;&#128512;&nbsp;{{x}}</p>', '1:30 template_syntax'],
  ['within references', '<p>a &#123;&#x7b;x&rcub;}</p>', '1:6 template_syntax'],
  [
    'after references that stand for two characters',
    '<p>&nGt;&NotEqualTilde;{{x}}</p>',
    '1:24 template_syntax',
  ],
  ['after an ampersand by itself', '<p>AT&T & x {{x}}</p>', '1:13 template_syntax'],
  ['after CR LF in the text', '<p>a\r\nb\r\n  {{x}}</p>', '3:3 template_syntax'],
  ['after an emoji in the text', '<p>a😀é {{x}}</p>', '1:8 template_syntax'],
  [
    'several in one text',
    '<p>{{x}} &lt; {{y}}\n{{z}}</p>',
    '1:4 template_syntax',
    '1:15 template_syntax',
    '2:1 template_syntax',
  ],
  ['after tags within the text', '<p>a <em>b</em> <strong>{{x}}</strong></p>', '1:25 template_syntax'],
  ['a placeholder split', '<p>ab {{var_<em>a</em>}}</p>', '1:7 placeholder_split'],
  ['a placeholder split, its start in a tag', '<p>ab <em>c {{</em>var_a}}</p>', '1:13 placeholder_split'],
  ['a placeholder out of place', '<h1>é {{link_var_l}}</h1>', '1:7 placeholder_place'],
  ['a comment', '<p>x</p>\n<!-- y -->', '2:1 comment'],
  ['a doctype', '\n<!doctype html>', '2:1 doctype'],
  ['CDATA', '<p>x<![CDATA[y]]></p>', '1:5 cdata'],
  ['a processing instruction', 'x<?php ?>', '1:2 processing_instruction'],
  ['an end tag of nothing', '<p>x</p>\n</p>', '2:1 stray_end_tag'],
  ['an end tag of another', '<p><em>x</strong></em></p>', '1:9 stray_end_tag'],
  ['what is not closed', '<p>x</p>\n<p><strong>y</p>', '2:4 unclosed'],
  ['what overlaps', '<p><em>a<strong>b</em>c</strong></p>', '1:9 unclosed', '1:24 stray_end_tag'],
  ['an unfinished tag', '<p>one</p>\ntwo <a href="https://a.co', '2:5 unclosed'],
  ['an unfinished end tag', '<p>one</p', '1:7 unclosed'],
  ['a block in a paragraph', '<p>x\n <ul><li>y</li></ul></p>', '2:2 nesting'],
  ['an item without a list', 'x <li>y</li>', '1:3 nesting'],
  ['text in a list', '<ul>\n  <li>x</li>\n  y\n</ul>', '3:3 nesting'],
  ['a link in a link', '<a href="https://a.co">x <em><a href="https://b.co">y</a></em></a>', '1:30 nesting'],
  ['a sign that begins no tag', '<p>5 < 6 and a <3</p>', '1:6 malformed', '1:16 malformed'],
  ['a sign at the end', '<p>x</p><', '1:9 malformed'],
  ['an empty end tag', '<p>x</></p>', '1:5 malformed'],
  ['a reference to no character', '<p>é &nbps; x</p>', '1:6 malformed'],
  ['a reference without its end', '<p>&copy 2024</p>', '1:4 malformed'],
  ['a reference without digits', '<p>a &#; b</p>', '1:6 malformed'],
  ['a reference to a control character', '<p>a &#1; b</p>', '1:6 control_character'],
  ['a reference to a form feed', '<p>&amp; &#12; b</p>', '1:10 control_character'],
  ['a control character', '<p>é\u0007</p>', '1:5 control_character'],
  ['half of an emoji', '<p>😀\ud83d</p>', '1:5 control_character'],
  ['attributes without a blank', '<a href="https://a.co"title="x">y</a>', '1:23 malformed'],
  ['a slash among attributes', '<img / src="https://a.co/x.png">', '1:7 malformed'],
  ['a paragraph that closes itself', 'x <p/>', '1:3 malformed'],
  ['too deep', `${'<em>'.repeat(33)}x${'</em>'.repeat(33)}`, '1:129 nesting'],
  [
    'everything, in order of place',
    '<div>\n<p onclick="x">{{x}}\n<!-- y --><strong>z</p>\n<a href="data:x">q</a></div>',
    '1:1 element_not_allowed',
    '2:4 attribute_not_allowed',
    '2:16 template_syntax',
    '3:1 comment',
    '3:11 unclosed',
    '4:4 link_not_allowed',
  ],
])('%s', (_, body, ...expected) => {
  expect(places(body)).toEqual(expected);
});

test('a body that is too long says from where', () => {
  const line = `${'é'.repeat(49)}\n`; // 99 bytes
  const body = line.repeat(2_648); // 2,647 lines are 262,053 bytes
  expect(places(body)).toEqual(['2648:46 too_long']);
  expect(places('x'.repeat(262_145))).toEqual(['1:262145 too_long']);
  expect(() => refused('x'.repeat(262_144))).toThrow('Accepted');
});

test('of many findings the first twenty are told, also when they are found last', () => {
  const findings = places(`<strong>${'<div>'.repeat(100_000 / 5)}`);
  expect(findings).toHaveLength(20);
  expect(findings[0]).toBe('1:1 unclosed');
  expect(findings[19]).toBe('1:99 element_not_allowed');
});

test('places are right past the first 64 KB, too', () => {
  const line = '<p>é😀 &amp; <em>x</em>\r\n</p>\n';
  expect(places(`${line.repeat(6_000)} <b>x</b> {{x}}`)).toEqual([
    '12001:2 element_not_allowed',
    '12001:11 template_syntax',
  ]);
});

test('in a text message', () => {
  const check = checkText('Hi 😀 {{var_a}},\r\n{{link_var_l}} and {{x}} \u0007');
  expect('findings' in check && check.findings).toMatchObject([
    { code: 'placeholder_place', line: 2, column: 1 },
    { code: 'template_syntax', line: 2, column: 20 },
    { code: 'control_character', line: 2, column: 26 },
  ]);
});
