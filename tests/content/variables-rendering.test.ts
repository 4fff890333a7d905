import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Definition } from '../../src/domain/content/variables/definition.ts';
import { renderValue } from '../../src/domain/content/variables/render-value.ts';
import type { Value } from '../../src/domain/content/variables/source.ts';
import { tries } from '../support/volume.ts';

const occasion = { now: new Date('2026-01-15T14:30:00.000Z'), zone: 'America/New_York' };

const bare: Definition = {
  variable: '{{context.root_context.org_user.custom_properties.anything}}',
  fallback: '',
  template: '{{var}}',
  date_format: null,
  text_format: null,
};
const render = (value: Value, definition: Partial<Definition> = {}): string =>
  renderValue(value, { ...bare, ...definition }, occasion);

const none: Value[] = [null, undefined, '', ' ', '\t\n\u00a0', '\u200b\u2060', { given: null, family: ' ' }];

describe('without a value', () => {
  test('VAR-005 the fallback is rendered', () => {
    for (const value of none) expect(render(value, { fallback: 'there' })).toBe('there');
  });

  test('VAR-006 an empty fallback leaves nothing', () => {
    for (const value of none) expect(render(value)).toBe('');
  });

  test('VAR-005 VAR-008 the fallback stands alone: neither template nor format is put on it', () => {
    const definition = { fallback: 'jOHN', template: 'Dear {{var}},', text_format: 'name' } as const;
    for (const value of none) expect(render(value, definition)).toBe('jOHN');
  });

  test('VAR-005 VAR-010 under a date format, what does not read as a date is no value', () => {
    for (const value of ['soon', '2026-02-30', 7, true, { given: 'Ada', family: null }]) {
      expect(render(value, { date_format: 'yyyy', fallback: 'some day' })).toBe('some day');
    }
  });
});

describe('with a value', () => {
  test('VAR-007 without a template of its own it is the bare value', () => {
    expect(render('Gold')).toBe('Gold');
    expect(render('  as stored ')).toBe('  as stored ');
  });

  test('VAR-008 the template is put around it, wherever and as often as its mark stands', () => {
    expect(render('Gold', { template: 'on the {{var}} plan' })).toBe('on the Gold plan');
    expect(render('Gold', { template: '{{var}}, {{var}}!', fallback: 'never' })).toBe('Gold, Gold!');
    expect(render('Gold', { template: '${{var}}' })).toBe('$Gold');
  });

  test('VAR-008 numbers and booleans are plain text, also zero and false', () => {
    expect(render(0, { fallback: 'none' })).toBe('0');
    expect(render(-0)).toBe('0');
    expect(render(49.99)).toBe('49.99');
    expect(render(1234567.5)).toBe('1234567.5');
    expect(render(1e21)).toBe('1000000000000000000000');
    expect(render(-1e-7)).toBe('-0.0000001');
    expect(render(false, { fallback: 'none' })).toBe('false');
    expect(render(true, { template: 'is it {{var}}?' })).toBe('is it true?');
  });

  test('VAR-008 a number reads back as the number it was', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }), (number) => {
        fc.pre(number === 0 || Math.abs(number) > 1e-4);
        expect(Number(render(number))).toBe(number + 0);
      }),
      tries(1_000),
    );
  });

  test('VAR-009 without a date format a date is not formatted: ISO 8601 in UTC, a text as it is stored', () => {
    expect(render(new Date('2026-07-04T22:05:00Z'))).toBe('2026-07-04T22:05:00.000Z');
    expect(render('2026-07-04')).toBe('2026-07-04');
    expect(render('2026-07-04T22:05+02:00')).toBe('2026-07-04T22:05+02:00');
  });

  test('VAR-010 with one it is, in the zone; a text too, if it reads as a date', () => {
    const definition = { date_format: 'EEEE HH:mm', template: 'on {{var}}' };
    expect(render(new Date('2026-07-05T02:05:00Z'), definition)).toBe('on Saturday 22:05');
    expect(render('2026-07-05T02:05:00Z', definition)).toBe('on Saturday 22:05');
    expect(render('2026-07-05', { date_format: 'EEEE' })).toBe('Sunday');
  });

  test('VAR-011 VAR-012 a relative format goes by the moment and the zone of the message', () => {
    const at = new Date('2026-01-16T03:00:00Z');
    expect(render(at, { date_format: 'relative-short' })).toBe('in 12h');
    expect(render(at, { date_format: 'relative-today' })).toBe('today at 22:00 EST');
  });

  test('VAR-013 a name is repaired only when the format asks for it, each part by itself', () => {
    expect(render('jOHN', { text_format: 'name' })).toBe('John');
    expect(render('jOHN')).toBe('jOHN');
    const parts = { given: ' VAN ANH ', family: 'DiCaprio' };
    expect(render(parts, { text_format: 'name', template: 'Dear {{var}}' })).toBe('Dear Van Anh DiCaprio');
    expect(render(parts)).toBe(' VAN ANH  DiCaprio');
    expect(render({ given: null, family: 'van der berg' }, { text_format: 'name' })).toBe('van der Berg');
    expect(render({ given: 'ada', family: '' }, { text_format: 'name' })).toBe('Ada');
  });
});

describe('whatever a value says', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '{{var}}',
      '{{var_x}}',
      '{{link_var_x}}',
      '$&',
      "$'",
      '$1',
      '$$',
      '{{{var}}}',
      '%7B%7Bvar%7D%7D',
    ),
    fc
      .array(fc.constantFrom('{', '}', '{{', '}}', 'var', 'var_x', '$', '&', ' '), { maxLength: 9 })
      .map((all) => all.join('')),
  );

  test('VAR-008 it stands in the template as it is, and its own marks are never filled in', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (value, before, after) => {
        fc.pre(/[^\s\p{Cc}\p{Cf}]/u.test(value));
        fc.pre(!`${before}|${after}`.includes('{{var}}'));
        const template = `${before}|{{var}}|${after}`;
        fc.pre(template.split('{{var}}').length === 2);
        expect(render(value, { template })).toBe(`${before}|${value}|${after}`);
      }),
      tries(1_000),
    );
  });

  test('VAR-008 rendering is one pass: two values never see each other', () => {
    expect(render('{{var}}', { template: '{{var}} and {{var}}' })).toBe('{{var}} and {{var}}');
  });
});
