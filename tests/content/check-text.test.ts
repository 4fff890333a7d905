import { expect, test } from 'vitest';
import { findTemplateSyntax } from '../../src/domain/content/body/check-line.ts';
import { checkText } from '../../src/domain/content/body/check-text.ts';
import { renderText } from '../../src/domain/content/body/render-body.ts';

test('a text message is cut at its placeholders and otherwise sent as written', () => {
  const text = 'Hi {{var_a}},\n<b> & "50% off" for ${{var_b}}: {{var_a}} http://a.co/{x}\t';
  const check = checkText(text);
  if (!('body' in check)) throw new Error(JSON.stringify(check));
  expect(check.body).toMatchObject({ placeholders: ['var_a', 'var_b'], insecureLinks: 0 });
  expect(check.body.plain).toEqual(check.body.pieces);
  const values = new Map([
    ['var_a', '<Zoë & "{{var_b}}">'],
    ['var_b', '5\u202E\u0007'],
  ]);
  expect(renderText(check.body.pieces, values)).toBe(
    'Hi <Zoë & "{{var_b}}">,\n<b> & "50% off" for $5: <Zoë & "{{var_b}}"> http://a.co/{x}\t',
  );
});

test.each([
  ['{{link_var_l}}', 'placeholder_place'],
  ['{{first_name}}', 'template_syntax'],
  ['{{ var_a }}', 'template_syntax'],
  ['{{{var_a}}}', 'template_syntax'],
  ['{{#if x}}', 'template_syntax'],
  ['{% x %}', 'template_syntax'],
  ['<%= x %>', 'template_syntax'],
  ['${x}', 'template_syntax'],
  ['*|FNAME|*', 'template_syntax'],
  ['a\u0000b', 'control_character'],
  ['\uD800', 'control_character'],
  ['é'.repeat(131_073), 'too_long'],
])('a text message with %j is refused', (text, code) => {
  const check = checkText(`ok\n${text}`);
  expect('findings' in check && check.findings[0]).toMatchObject({ code });
});

test('the empty text is a text', () => {
  expect(checkText('')).toEqual({ body: { pieces: [], plain: [], placeholders: [], insecureLinks: 0 } });
});

test.each([
  ['Hi {{var_a}}', 'placeholder_place', 4],
  ['😀 {{link_var_l}}', 'placeholder_place', 3],
  ['Hi {{first_name}}', 'template_syntax', 4],
  ['{% x %}', 'template_syntax', 1],
  ['Now ${x}', 'template_syntax', 5],
  ['*|FNAME|*, hello', 'template_syntax', 1],
])('the line %j is refused with its place', (line, code, column) => {
  expect(findTemplateSyntax(line)).toMatchObject({ code, line: 1, column });
});

test.each(['', '50% off {today}', 'Only $5 | #1 * <3', 'A & B'])('the line %j is sent as written', (line) => {
  expect(findTemplateSyntax(line)).toBeUndefined();
});
