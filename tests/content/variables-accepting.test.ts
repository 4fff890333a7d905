import { describe, expect, test } from 'vitest';
import { SentVariables } from '../../src/domain/content/variables/definition.ts';
import { useAccepting } from './accepting.ts';
import { custom, root, user } from './paths.ts';

const here = useAccepting();
const plain = { fallback: '', template: '{{var}}', date_format: null, text_format: null };

describe('the shape of definitions', () => {
  const isShape = (sent: unknown) => SentVariables.safeParse(sent).success;
  const first = { variable: user('first_name') };

  test('VAR-001 a definition without variable is refused', () => {
    expect(isShape({ var_x: first })).toBe(true);
    expect(isShape({ var_x: { fallback: 'there' } })).toBe(false);
    expect(isShape({ var_x: { variable: null } })).toBe(false);
    expect(isShape({ var_x: {} })).toBe(false);
  });

  test('BOD-005 names are var_ or link_var_ with up to 64 letters, digits, _ and -', () => {
    for (const name of ['var_x', 'link_var_x', 'var_1-a_B', 'var_', 'link_var_']) {
      expect(isShape({ [name.endsWith('var_') ? name + 'a'.repeat(64) : name]: first })).toBe(true);
    }
    for (const name of [
      'x',
      'first_name',
      'var_',
      'VAR_x',
      'var_é',
      'var_a b',
      `var_${'a'.repeat(65)}`,
      'link_x',
    ]) {
      expect(isShape({ [name]: first })).toBe(false);
    }
  });

  test('unknown fields, other formats and more than a hundred definitions are refused', () => {
    expect(isShape({ var_x: { ...first, falback: 'there' } })).toBe(false);
    expect(isShape({ var_x: { ...first, text_format: 'upper' } })).toBe(false);
    expect(isShape({ var_x: { ...first, template: 7 } })).toBe(false);
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`var_${at}`, first]));
    expect(isShape(many(100))).toBe(true);
    expect(isShape(many(101))).toBe(false);
  });
});

describe('what is stored', () => {
  test('VAR-006 VAR-007 VAR-009 VAR-014 what was left out is filled in', async () => {
    const variable = user('primary_email');
    expect(await here().stored({ variable })).toEqual({ variable, ...plain });
  });

  test('what was sent stays, and what reads back is accepted again as it is', async () => {
    const sent = {
      var_name: {
        variable: user('last_name'),
        fallback: 'friend',
        template: 'Dear {{var}}',
        text_format: null,
      },
      var_date: {
        variable: custom('Renewal'),
        fallback: 'soon',
        template: 'by {{var}}',
        date_format: 'MMM d',
      },
      link_var_join: { variable: root('join_url'), fallback: 'https://example.com/' },
    };
    const { variables } = await here().accept(sent);
    expect(variables).toEqual({
      var_name: { ...plain, ...sent.var_name },
      var_date: { ...plain, ...sent.var_date },
      link_var_join: { ...plain, ...sent.link_var_join },
    });
    expect(await here().accept(variables)).toEqual({ variables, errors: [] });
  });

  test.each(['first_name', 'last_name', 'full_name'])(
    'VAR-014 text_format of %s is name, unless null',
    async (field) => {
      expect(await here().stored({ variable: user(field) })).toMatchObject({ text_format: 'name' });
      expect(await here().stored({ variable: user(field), text_format: null })).toMatchObject({
        text_format: null,
      });
      expect(await here().stored({ variable: user(field) }, 'link_var_x')).toMatchObject({
        text_format: null,
      });
    },
  );

  test('VAR-014 text_format of anything else is not set, unless asked for of a text', async () => {
    for (const variable of [user('primary_email'), custom('plan'), root('webinar_title'), user('mrr')]) {
      expect(await here().stored({ variable })).toMatchObject({ text_format: null });
    }
    expect(await here().stored({ variable: custom('plan'), text_format: 'name' })).toMatchObject({
      text_format: 'name',
    });
  });

  test('BOD-020 definitions that the body does not use are dropped, whatever they read', async () => {
    const sent = {
      var_used: { variable: user('first_name') },
      var_unused: { variable: 'nonsense', template: 'no mark', date_format: 'YYYY' },
    };
    const { variables, errors } = await here().accept(sent, { placeholders: ['var_used'] });
    expect(Object.keys(variables)).toEqual(['var_used']);
    expect(errors).toEqual([]);
    expect(await here().accept(sent, { placeholders: [] })).toEqual({ variables: {}, errors: [] });
  });

  test('VAR-015 VAR-016 VAR-023 every path of the list is accepted, those of webinars with a webinar', async () => {
    const { body } = await here().org.rest('GET /v1/broadcasts/variables');
    const listed: { variable: string; requires_webinar: boolean }[] = body.variables;
    expect(listed.length).toBeGreaterThan(25);
    for (const channel of ['email', 'sms'] as const) {
      for (const { variable } of listed) {
        expect(await here().accept({ var_x: { variable } }, { channel })).toMatchObject({ errors: [] });
      }
      for (const { variable } of listed.filter(({ requires_webinar }) => !requires_webinar)) {
        expect(await here().accept({ var_x: { variable } }, { channel, webinar: false })).toMatchObject({
          errors: [],
        });
      }
    }
  });
});
