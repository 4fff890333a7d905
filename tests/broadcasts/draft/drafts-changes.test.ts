import { beforeAll, expect, test } from 'vitest';
import { codesOf, newDraft, newWebinar, plan } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import { newSegment } from '../../support/segment.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { faces, read, update, type Fields, type Json } from './draft-ways.ts';
import { whileItIs } from '../plan/plan-support.ts';

const world = useWorld();

let org: TestOrg;
/** By what the cases below call them. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  org = await world().newOrg();
  const filters = [{ property: 'primary_email', op: 'is_not_empty' }];
  for (const name of ['segment', 'other segment']) ids[name] = await newSegment(org, filters);
  for (const title of ['webinar', 'other webinar']) ids[title] = await newWebinar(world(), org, { title });
  for (const name of ['sender', 'other sender'])
    ids[name] = await newSender(world(), org, { name, email: `${name.replace(' ', '-')}@changes.test` });
});

const variable = '{{context.root_context.org_user.first_name}}';
const defined = { variable, fallback: '', template: '{{var}}', date_format: null, text_format: 'name' };

/** The drafts that are changed, with everything said that their channel and audience take. */
const drafts: Readonly<Record<string, () => Fields>> = {
  email: () => ({ audience: 'segment', segment_id: ids['segment'], ...content() }),
  invitation: () => ({ audience: 'webinar', webinar_id: ids['webinar'], ...timing, ...content() }),
  text: () => ({
    channel: 'sms',
    audience: 'webinar',
    webinar_id: ids['webinar'],
    ...timing,
    message_body: 'Hello {{var_a}}',
    variables: { var_a: { variable } },
  }),
};
const timing = { webinar_audience: 'attended', webinar_offset_minutes: -60, webinar_anchor: 'end' };
const content = (): Fields => ({
  subject: 'Hello',
  preview_text: 'Inside',
  html: '<p>Hello {{var_a}}</p>',
  variables: { var_a: { variable } },
  sender_id: ids['sender'],
});

type Change = [rules: string, draft: string, sent: () => Fields, changed: (before: Json) => Json];

const within = (before: Json, part: 'audience' | 'timing', fields: Fields): Json => ({
  [part]: { ...before[part], ...fields },
});

const changes: Change[] = [
  ['BRD-043', 'email', () => ({ subject: 'Bye' }), () => ({ subject: 'Bye' })],
  ['BRD-043', 'email', () => ({ preview_text: 'Out' }), () => ({ preview_text: 'Out' })],
  ['BRD-045', 'email', () => ({ preview_text: null }), () => ({ preview_text: null })],
  ['BRD-046', 'email', () => ({ sender_id: null }), () => ({ sender: null })],
  [
    'BRD-043',
    'email',
    () => ({ sender_id: ids['other sender'] }),
    () => ({
      sender: {
        id: ids['other sender'],
        from: 'other sender <other-sender@changes.test>',
        reply_to: 'other-sender@changes.test',
      },
    }),
  ],
  [
    'BRD-043',
    'email',
    () => ({ segment_id: ids['other segment'] }),
    (before) => within(before, 'audience', { segment_id: ids['other segment'] }),
  ],
  ['BRD-048', 'email', () => ({ html: '<h1>{{var_a}}</h1>' }), () => ({ html: '<h1>{{var_a}}</h1>' })],
  ['BRD-048 BRD-050', 'email', () => ({ html: '<p>Bye</p>' }), () => ({ html: '<p>Bye</p>', variables: {} })],
  [
    'BRD-050',
    'email',
    () => ({ variables: { var_a: { variable, fallback: 'you' } } }),
    () => ({ variables: { var_a: { ...defined, fallback: 'you' } } }),
  ],
  [
    'BRD-043',
    'invitation',
    () => ({ webinar_id: ids['other webinar'] }),
    (before) =>
      within(before, 'audience', { webinar_id: ids['other webinar'], webinar_title: 'other webinar' }),
  ],
  [
    'BRD-043',
    'invitation',
    () => ({ webinar_audience: 'no_show' }),
    (before) => within(before, 'audience', { webinar_audience: 'no_show' }),
  ],
  [
    'BRD-043',
    'invitation',
    () => ({ webinar_offset_minutes: 15 }),
    (before) => within(before, 'timing', { webinar_offset_minutes: 15 }),
  ],
  [
    'BRD-047',
    'text',
    () => ({ webinar_offset_minutes: null }),
    (before) => within(before, 'timing', { webinar_offset_minutes: null }),
  ],
  [
    'BRD-043',
    'text',
    () => ({ webinar_anchor: 'start' }),
    (before) => within(before, 'timing', { webinar_anchor: 'start' }),
  ],
  ['BRD-049', 'text', () => ({ message_body: 'Bye {{var_a}}' }), () => ({ message_body: 'Bye {{var_a}}' })],
  ['BRD-049 BRD-050', 'text', () => ({ message_body: '' }), () => ({ message_body: '', variables: {} })],
];

test.each(changes)(
  'BRD-040 BRD-044 %s in a draft %s this alone changes: case %#',
  async (_, draft, sent, changed) => {
    for (const face of faces) {
      const before = await newDraft(org, drafts[draft]!());
      const other = await newDraft(org, drafts[draft]!());
      const later = new Date(Date.now() + 3_600_000).toISOString();
      await whileItIs(world(), later, async () => {
        const { status, body } = await update[face](org, before.id, sent());
        const after = { ...before, ...changed(before), revision: before.revision + 1, updated_at: later };
        expect({ status, body }).toEqual({ status: 200, body: { broadcast: after } });
        expect(after.status).toBe('draft');
        expect(await read(org, before.id)).toEqual(after);
        expect(await read(org, other.id)).toEqual(other);
      });
    }
  },
);

test.each(faces)('BRD-043 BRD-044 over %s many fields change at once, and the rest stays', async (face) => {
  const before = await newDraft(org, drafts['invitation']!());
  const sent = { audience: 'everyone', subject: 'Bye', html: '<p>Bye</p>', sender_id: null };
  const { broadcast } = (await update[face](org, before.id, sent)).body;
  expect(broadcast).toMatchObject({ subject: 'Bye', html: '<p>Bye</p>', sender: null, variables: {} });
  expect(broadcast).toMatchObject({ id: before.id, preview_text: 'Inside', audience: { kind: 'everyone' } });
  expect(broadcast.created_at).toBe(before.created_at);
});

test('BRD-046 BRD-047 what was cleared is asked for by the plan', async () => {
  const { id } = await newDraft(org, drafts['invitation']!());
  expect(codesOf(await plan(org, id, null), 'error')).not.toContain('sender_missing');
  await update.tool(org, id, { sender_id: null, webinar_offset_minutes: null });
  const codes = codesOf(await plan(org, id, null), 'error');
  expect(codes).toEqual(expect.arrayContaining(['sender_missing', 'send_at_required']));
});
