import { beforeAll, expect, test } from 'vitest';
import type { FieldError } from '../../../src/kernel/failure.ts';
import { newDraft, newWebinar } from '../../support/broadcast.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { faces, previewFor, read, refusedChange, update, type Fields, type Json } from './draft-ways.ts';
import { newConfig } from '../plan/plan-support.ts';

const world = useWorld();

let org: TestOrg;
let webinar_id: string;
let person: string;

beforeAll(async () => {
  org = await world().newOrg();
  webinar_id = await newWebinar(world(), org);
  person = await org.person({ email: 'ada@example.com', first_name: 'Ada', last_name: 'Byron' });
});

const path = (field: string): string => `{{context.root_context.org_user.${field}}}`;
const first = { variable: path('first_name') };
const last = { variable: path('last_name') };
const title = { variable: '{{context.root_context.webinar_title}}' };

/** A draft with the same body, as an email or as a text. */
const newOne = {
  html: (body: string, variables: Fields): Promise<Json> =>
    newDraft(org, { audience: 'webinar', webinar_id, html: `<p>${body}</p>`, variables }),
  message_body: (body: string, variables: Fields): Promise<Json> =>
    newDraft(org, { channel: 'sms', audience: 'webinar', webinar_id, message_body: body, variables }),
};
const bodyOf = { html: (body: string) => `<p>${body}</p>`, message_body: (body: string) => body };
const bodies = ['html', 'message_body'] as const;

/** What is wrong with a change, which leaves the draft as it was. */
async function wrongWith(id: string, sent: Fields): Promise<FieldError[]> {
  const before = await read(org, id);
  const errors = await refusedChange(world(), org, id, sent);
  expect(await read(org, id)).toEqual(before);
  return errors;
}

const undefinedAt = (name: string) => ({
  pointer: '/variables',
  code: 'undefined_placeholder',
  detail: expect.stringContaining(`{{${name}}}`),
});

test.each(bodies)('BRD-051 a new %s with a placeholder that the map lacks is refused', async (field) => {
  const { id } = await newOne[field]('Hi {{var_a}}', { var_a: first });
  const change = { [field]: bodyOf[field]('Hi {{var_a}} {{var_b}}') };
  expect(await wrongWith(id, change)).toMatchObject([undefinedAt('var_b')]);
  expect(await wrongWith(id, { ...change, variables: { var_a: first } })).toMatchObject([
    undefinedAt('var_b'),
  ]);
  expect(await wrongWith(id, { ...change, variables: {} })).toMatchObject([
    undefinedAt('var_a'),
    undefinedAt('var_b'),
  ]);
});

test.each(bodies)(
  'BRD-051 a definition that was dropped is gone: a new %s must bring its own',
  async (field) => {
    const { id } = await newOne[field]('Hi {{var_a}}', { var_a: first, var_b: last });
    expect(Object.keys((await read(org, id)).variables)).toEqual(['var_a']);
    expect(await wrongWith(id, { [field]: bodyOf[field]('Hi {{var_b}}') })).toMatchObject([
      undefinedAt('var_b'),
    ]);
  },
);

test.each(bodies)('BRD-052 variables alone that lack what the stored %s uses are refused', async (field) => {
  const { id } = await newOne[field]('Hi {{var_a}} {{var_b}}', { var_a: first, var_b: last });
  expect(await wrongWith(id, { variables: { var_a: first } })).toMatchObject([undefinedAt('var_b')]);
  expect(await wrongWith(id, { variables: { var_c: first } })).toMatchObject([
    undefinedAt('var_a'),
    undefinedAt('var_b'),
  ]);
  expect(await wrongWith(id, { variables: {} })).toMatchObject([undefinedAt('var_a'), undefinedAt('var_b')]);
});

test.each(bodies)(
  'BRD-053 a new %s and new variables are taken when the two fit each other',
  async (field) => {
    for (const face of faces) {
      const { id } = await newOne[field]('Hi {{var_a}}', { var_a: first });
      const sent = { [field]: bodyOf[field]('Bye {{var_b}}'), variables: { var_b: last } };
      const { status, body } = await update[face](org, id, sent);
      expect({ status, text: body.broadcast[field] }).toEqual({ status: 200, text: sent[field] });
      expect(Object.keys(body.broadcast.variables)).toEqual(['var_b']);
      expect((await previewFor(org, id, person)).text).toContain('Bye Byron');
    }
  },
);

test.each(bodies)('BRD-050 BRD-053 the map is replaced as a whole, beside the same %s', async (field) => {
  const { id } = await newOne[field]('Hi {{var_a}}', {
    var_a: { ...first, fallback: 'you', template: 'dear {{var}}' },
  });
  expect((await previewFor(org, id, person)).text).toContain('Hi dear Ada');
  const { broadcast } = (await update.tool(org, id, { variables: { var_a: last } })).body;
  expect(broadcast.variables).toMatchObject({ var_a: { ...last, fallback: '', template: '{{var}}' } });
  expect((await previewFor(org, id, person)).text).toContain('Hi Byron');
});

test('BRD-051 VAR-021 a draft that leaves its webinar must no longer read it', async () => {
  const { id } = await newOne.html('{{var_a}} {{var_b}}', { var_a: title, var_b: first });
  const required = { pointer: '/variables/var_a/variable', code: 'webinar_required' };
  expect(await wrongWith(id, { audience: 'everyone' })).toMatchObject([required]);
  const html = '<p>{{var_b}}</p>';
  expect(
    await wrongWith(id, { audience: 'everyone', variables: { var_a: title, var_b: first } }),
  ).toMatchObject([required]);
  const { status, body } = await update.rest(org, id, { audience: 'everyone', html });
  expect({ status, html: body.broadcast.html }).toEqual({ status: 200, html });
  expect(Object.keys(body.broadcast.variables)).toEqual(['var_b']);
  expect(await wrongWith(id, { variables: { var_b: title } })).toMatchObject([
    { ...required, pointer: '/variables/var_b/variable' },
  ]);
});

test('BRD-044 BRD-048 BRD-049 with the channel the body goes, its variables with it, and both come back with it', async () => {
  const { id } = await newOne.html('{{var_a}}', { var_a: first });
  const text = (await update.rest(org, id, { channel: 'sms' })).body.broadcast;
  expect(text).toMatchObject({ html: null, message_body: null, variables: {} });
  expect(await wrongWith(id, { message_body: '{{var_a}}' })).toMatchObject([undefinedAt('var_a')]);
  const sent = { message_body: '{{var_a}}', variables: { var_a: first } };
  expect((await update.tool(org, id, sent)).body.broadcast).toMatchObject({ message_body: '{{var_a}}' });
  const back = (await update.tool(org, id, { channel: 'email' })).body.broadcast;
  expect(back).toMatchObject({ html: expect.stringContaining('{{var_a}}'), message_body: null });
  expect(Object.keys(back.variables)).toEqual(['var_a']);
  const link = { html: '<p><a href="{{link_var_a}}">x</a></p>', variables: { link_var_a: last } };
  expect((await update.rest(org, id, link)).status).toBe(200);
  expect(await wrongWith(id, { channel: 'sms', message_body: '{{link_var_a}}' })).toMatchObject([
    { pointer: '/message_body', code: 'placeholder_place' },
  ]);
});

test('BRD-051 a definition whose property is gone is judged again with the body, and not with anything else', async () => {
  const config_id = await newConfig(org, 'tier');
  const tier = { variable: path('custom_properties.tier') };
  const { id } = await newOne.html('{{var_a}}', { var_a: tier });
  await org.tool('delete_property_config', { config_id });
  expect((await update.tool(org, id, { subject: 'Still' })).body.broadcast.subject).toBe('Still');
  const unknown = { pointer: '/variables/var_a/variable', code: 'unknown_variable' };
  expect(await wrongWith(id, { html: '<p>New {{var_a}}</p>' })).toMatchObject([unknown]);
  expect(await wrongWith(id, { variables: { var_a: tier } })).toMatchObject([unknown]);
  const mended = await update.tool(org, id, { variables: { var_a: first } });
  expect(mended).toMatchObject({ status: 200 });
});

test('BRD-051 everything that is wrong is named at once, and nothing of it is taken', async () => {
  const { id } = await newOne.html('Hi', {});
  const sent = { subject: '{{var_a}}', preview_text: '{{x}}', html: '<div>x</div>', message_body: 'x' };
  expect(await wrongWith(id, sent)).toMatchObject([
    { pointer: '/message_body', code: 'does_not_fit' },
    { pointer: '/html', code: 'element_not_allowed' },
    { pointer: '/subject', code: 'placeholder_place' },
    { pointer: '/preview_text', code: 'template_syntax' },
  ]);
});
