import { beforeAll, expect, test } from 'vitest';
import { newDraft } from '../support/broadcast.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { first, newSetting, type Setting } from './body-setting.ts';
import {
  pointersOf,
  read,
  refusedBoth,
  refusedChange,
  refusedNew,
  update,
} from '../broadcasts/draft/draft-ways.ts';

const world = useWorld();

let setting: Setting;
beforeAll(async () => {
  setting = await newSetting(world());
});

const body = { html: '<p>{{var_a}}</p>', variables: { var_a: first } };
const lines = [
  ['BOD-014', 'subject'],
  ['BOD-015', 'preview_text'],
] as const;
const variables = [
  '{{var_a}}',
  'Hi {{var_a}}!',
  '{{link_var_a}}',
  '{{first_name}}',
  '{{ var_a }}',
  '{{#if x}}Hi{{/if}}',
  '{{var_a',
  'var_a}}',
  '{% if x %}',
  '${name}',
  '*|FNAME|*',
];

test.each(lines)('%s a placeholder in %s is refused, be it defined for the body or not', async (_, field) => {
  const { org, drafts } = setting;
  const { id } = await newDraft(org, { audience: 'everyone', ...body });
  for (const [at, line] of variables.entries()) {
    const detail = expect.stringMatching(/^Line 1, column \d: \S/);
    const named = [
      { pointer: `/${field}`, code: expect.stringMatching(/^(placeholder_place|template_syntax)$/), detail },
    ];
    const sent = { [field]: line };
    const whole = { ...body, ...sent };
    const bare = await refusedBoth(world(), org, { audience: 'everyone', ...sent }, id, sent);
    expect(bare).toMatchObject(named);
    if (!isLong && at % 4 !== 0) continue;
    const full = await refusedBoth(world(), org, { audience: 'everyone', ...whole }, drafts.html, whole);
    expect(full).toEqual(bare);
  }
});

test('BOD-014 BOD-015 braces and percent signs that are no template are sent as written', async () => {
  const { org, drafts } = setting;
  for (const line of ['{curly} [square] <angle> 100 %', 'Only $5 | 50% off', 'a } b { c', '{ {x} }']) {
    const sent = { subject: line, preview_text: line };
    expect((await update.tool(org, drafts.html, sent)).status).toBe(200);
    expect(await read(org, drafts.html)).toMatchObject(sent);
  }
});

test('a subject is one line of 1 to 998 characters, and a preview text of at most 500', async () => {
  const { org, drafts } = setting;
  for (const subject of ['', 'two\nlines', 'two\r\nBcc: everybody@example.com', 'x'.repeat(999), 7, ['Hi']]) {
    const sent = { subject };
    const errors = await refusedBoth(world(), org, { audience: 'everyone', ...sent }, drafts.html, sent);
    expect(pointersOf(errors)).toEqual(['/subject']);
  }
  for (const preview_text of ['x'.repeat(501), 7, { text: 'Hi' }]) {
    expect(pointersOf(await refusedNew(world(), org, { audience: 'everyone', preview_text }))).toEqual([
      '/preview_text',
    ]);
    expect(pointersOf(await refusedChange(world(), org, drafts.html, { preview_text }))).toEqual([
      '/preview_text',
    ]);
  }
});
