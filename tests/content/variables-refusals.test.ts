import { describe, expect, test } from 'vitest';
import { useAccepting } from './accepting.ts';
import { custom, root, user } from './paths.ts';

const here = useAccepting();

describe('what is refused', () => {
  test('BOD-012 a placeholder without a definition is named', async () => {
    const { errors } = await here().accept(
      { var_there: { variable: user('first_name') } },
      { placeholders: ['var_there', 'var_missing', 'link_var_too'] },
    );
    expect(errors).toEqual([
      {
        pointer: '/variables',
        code: 'undefined_placeholder',
        detail: expect.stringContaining('{{var_missing}}'),
      },
      {
        pointer: '/variables',
        code: 'undefined_placeholder',
        detail: expect.stringContaining('{{link_var_too}}'),
      },
    ]);
  });

  test('BOD-012 of thousands, twenty are named', async () => {
    const placeholders = Array.from({ length: 5_000 }, (_, at) => `var_${at}`);
    expect((await here().accept({}, { placeholders })).errors).toHaveLength(20);
  });

  test.each([
    ['an unknown field', user('shoe_size')],
    ['a bare word', 'first_name'],
    ['no braces', 'context.root_context.org_user.first_name'],
    ['blanks', '{{ context.root_context.org_user.first_name }}'],
    ['text around it', `Hi ${user('first_name')}`],
    ['two paths', user('first_name') + user('last_name')],
    ['another placeholder', '{{var_y}}'],
    ['nothing', ''],
    ['what every object has', user('constructor')],
    ['a secret column', user('org_id')],
    ['another letter case', user('First_Name')],
    ['a custom property without its prefix', user('plan')],
  ])('VAR-004 a path that is not in the list: %s', async (_, variable) => {
    expect(await here().refused({ variable })).toEqual(['/variables/var_x/variable unknown_variable']);
  });

  test.each(['gone', 'PLAN', 'renewal', 'plan.x', '', '__proto__'])(
    'VAR-016 a key that has no config, letter by letter: %j',
    async (key) => {
      expect(await here().refused({ variable: custom(key) })).toEqual([
        '/variables/var_x/variable unknown_variable',
      ]);
    },
  );

  test('VAR-004 the first unknown path is answered with those there are', async () => {
    const sent = { var_a: { variable: 'nonsense' }, var_b: { variable: 'nonsense' } };
    const { errors } = await here().accept(sent, { webinar: false });
    expect(errors[0]?.allowed).toContain(custom('plan'));
    expect(errors[0]?.allowed).toContain(user('first_name'));
    expect(errors[0]?.allowed).not.toContain(root('join_url'));
    expect(errors[1]).not.toHaveProperty('allowed');
  });

  test.each([
    'webinar_title',
    'webinar_start_time',
    'join_url',
    'registration_join_url',
    'google_calendar_url',
    'outlook_calendar_url',
    'calendar_file_url',
  ])('VAR-021 %s without a webinar', async (field) => {
    const variable = root(field);
    expect(await here().refused({ variable }, 'var_x', { webinar: false })).toEqual([
      '/variables/var_x/variable webinar_required',
    ]);
    expect(await here().refused({ variable })).toEqual([]);
  });

  test('BOD-008 the variable of a link that is not exactly one path', async () => {
    for (const variable of [
      `https://example.com/${user('external_user_id')}`,
      `${root('join_url')}?x=1`,
      root('join_url') + root('join_url'),
      'https://example.com/',
      '',
    ]) {
      expect(await here().refused({ variable }, 'link_var_x')).toEqual([
        '/variables/link_var_x/variable not_one_path',
      ]);
    }
    expect(await here().refused({ variable: root('nonsense') }, 'link_var_x')).toEqual([
      '/variables/link_var_x/variable unknown_variable',
    ]);
  });

  test('BOD-006 a link by what can be none; a url and a text can', async () => {
    for (const variable of [user('mrr'), user('created_at'), custom('seats'), custom('vip')]) {
      expect(await here().refused({ variable }, 'link_var_x')).toEqual([
        '/variables/link_var_x/variable not_a_link',
      ]);
    }
    for (const variable of [root('join_url'), root('google_calendar_url'), custom('plan')]) {
      expect(await here().refused({ variable }, 'link_var_x')).toEqual([]);
    }
  });

  test('a link with anything around its value, or a fallback that is no link', async () => {
    const variable = root('join_url');
    expect(await here().refused({ variable, template: 'https://x.example/{{var}}' }, 'link_var_x')).toEqual([
      '/variables/link_var_x/template not_for_links',
    ]);
    expect(await here().refused({ variable: custom('plan'), date_format: 'yyyy' }, 'link_var_x')).toEqual([
      '/variables/link_var_x/date_format not_for_links',
    ]);
    expect(await here().refused({ variable: custom('plan'), text_format: 'name' }, 'link_var_x')).toEqual([
      '/variables/link_var_x/text_format not_for_links',
    ]);
    expect(await here().refused({ variable, fallback: 'javascript:alert(1)' }, 'link_var_x')).toEqual([
      '/variables/link_var_x/fallback invalid_link',
    ]);
    expect(
      await here().refused({ variable, fallback: '', template: '{{var}}', date_format: null }, 'link_var_x'),
    ).toEqual([]);
  });

  test.each([
    ['without the mark', 'Dear friend', 'template_without_value'],
    ['empty', '', 'template_without_value'],
    ['with blanks in the mark', '{{ var }}', 'template_without_value'],
    ['with a placeholder', '{{var}} {{var_y}}', 'template_syntax'],
    ['with a link', '{{var}} {{link_var_y}}', 'template_syntax'],
    ['with a path', `{{var}} ${user('last_name')}`, 'template_syntax'],
    ['with a block', '{{#if x}}{{var}}{{/if}}', 'template_syntax'],
    ['in three braces', '{{{var}}}', 'template_syntax'],
    ['of another language', '{{var}}{% if x %}', 'template_syntax'],
    ['unfinished', '{{var}} {{', 'template_syntax'],
  ])('VAR-008 a template %s', async (_, template, code) => {
    expect(await here().refused({ variable: user('first_name'), template })).toEqual([
      `/variables/var_x/template ${code}`,
    ]);
  });

  test('VAR-008 a template with a single brace, a currency or the mark twice is none of these', async () => {
    for (const template of ['{ {{var}} }', '${{var}}', '{{var}} and {{var}}', '100% {{var}}!']) {
      expect(await here().refused({ variable: user('first_name'), template })).toEqual([]);
    }
  });

  test('VAR-005 a fallback with template syntax, which would be sent as it stands', async () => {
    for (const fallback of ['{{var}}', '{{var_y}}', user('last_name'), '{{first_name}}']) {
      expect(await here().refused({ variable: user('first_name'), fallback })).toEqual([
        '/variables/var_x/fallback template_syntax',
      ]);
    }
  });

  test('VAR-010 a date format on what cannot be a date', async () => {
    for (const variable of [
      ...['first_name', 'primary_email', 'mrr', 'health_band'].map(user),
      ...['seats', 'vip'].map(custom),
      ...['webinar_title', 'join_url'].map(root),
    ]) {
      expect(await here().refused({ variable, date_format: 'yyyy' })).toEqual([
        '/variables/var_x/date_format not_a_date',
      ]);
    }
  });

  test('VAR-010 VAR-011 VAR-012 a date takes a pattern that date-fns takes, or a relative form', async () => {
    for (const variable of [
      user('created_at'),
      user('cancels_at'),
      root('webinar_start_time'),
      custom('plan'),
    ]) {
      for (const date_format of ['yyyy-MM-dd', 'relative-short', 'relative-today']) {
        expect(await here().refused({ variable, date_format })).toEqual([]);
      }
      for (const date_format of ['', 'YYYY', 'DD', 'relative']) {
        expect(await here().refused({ variable, date_format })).toEqual([
          '/variables/var_x/date_format invalid_date_format',
        ]);
      }
    }
  });

  test('VAR-013 a text format on what is no text', async () => {
    for (const variable of [
      user('mrr'),
      user('created_at'),
      custom('seats'),
      custom('vip'),
      root('join_url'),
    ]) {
      expect(await here().refused({ variable, text_format: 'name' })).toEqual([
        '/variables/var_x/text_format not_a_text',
      ]);
    }
  });

  test('everything that is wrong is said at once', async () => {
    const { errors } = await here().accept({
      var_a: {
        variable: user('mrr'),
        template: 'x',
        date_format: 'yyyy',
        text_format: 'name',
        fallback: '{{x}}',
      },
      var_b: { variable: 'x' },
    });
    expect(errors.map(({ pointer }) => pointer)).toEqual([
      '/variables/var_a/fallback',
      '/variables/var_a/template',
      '/variables/var_a/date_format',
      '/variables/var_a/text_format',
      '/variables/var_b/variable',
    ]);
  });
});
