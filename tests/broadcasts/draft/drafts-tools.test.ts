import { beforeAll, expect, test } from 'vitest';
import { newDraft, newWebinar } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import { newSegment } from '../../support/segment.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { create, read, said, update, type Fields } from './draft-ways.ts';
import { whileItIs } from '../plan/plan-support.ts';

const world = useWorld();

let org: TestOrg;
let segment_id: string;
let webinar_id: string;
let sender_id: string;

beforeAll(async () => {
  org = await world().newOrg();
  segment_id = await newSegment(org, [{ property: 'primary_email', op: 'is_not_empty' }]);
  webinar_id = await newWebinar(world(), org);
  sender_id = await newSender(world(), org);
});

const variable = '{{context.root_context.org_user.last_name}}';
const email = (): Fields => ({
  subject: 'Hello',
  preview_text: 'Inside',
  html: '<p>{{var_a}}</p>',
  sender_id,
  variables: { var_a: { variable, fallback: 'there' } },
});
type Input = [string, () => Fields];

const taken: Input[] = [
  ['nothing but everyone', () => ({ audience: 'everyone' })],
  ['an email to a segment', () => ({ audience: 'segment', segment_id, ...email() })],
  [
    'an email to a webinar',
    () => ({
      audience: 'webinar',
      webinar_id,
      webinar_offset_minutes: -5,
      webinar_anchor: 'end',
      ...email(),
    }),
  ],
  [
    'a text',
    () => ({
      channel: 'sms',
      audience: 'webinar',
      webinar_id,
      message_body: 'Hi',
      webinar_audience: 'no_show',
    }),
  ],
];

const refused: Input[] = [
  ['a text to no webinar', () => ({ channel: 'sms', audience: 'webinar', webinar_id: sender_id })],
  ['a text to everyone', () => ({ channel: 'sms', audience: 'everyone', subject: 'Hello' })],
  ['a body that is not allowed', () => ({ audience: 'everyone', html: '<table></table><p>{{x}}</p>' })],
  ['a placeholder without definition', () => ({ audience: 'everyone', html: '{{var_b}}' })],
  ['an unknown segment', () => ({ audience: 'segment', segment_id: webinar_id })],
  ['an unknown field', () => ({ audience: 'everyone', topic: 'Hello' })],
  ['a field of another type', () => ({ audience: 'everyone', subject: 7, variables: [] })],
];

test.each(taken)(
  'TOL-003 create_broadcast makes of %s what POST /v1/broadcasts makes of it',
  async (_, sent) => {
    const [overRest, overTool] = await whileItIs(world(), new Date().toISOString(), async () => [
      await create.rest(org, sent()),
      await create.tool(org, sent()),
    ]);
    const { id } = overTool.body.broadcast;
    expect(overTool.body).toEqual({ created: true, broadcast: { ...overRest.body.broadcast, id } });
    expect(await read(org, id)).toEqual(overTool.body.broadcast);
  },
);

test.each([...refused, ['no audience', () => ({ subject: 'Hello' })]] as Input[])(
  'TOL-003 create_broadcast refuses %s as POST /v1/broadcasts does',
  async (_, sent) => {
    const overRest = await create.rest(org, sent());
    expect([400, 404]).toContain(overRest.status);
    expect(said(await create.tool(org, sent()))).toEqual(said(overRest));
  },
);

const start = (): Fields => ({ audience: 'webinar', webinar_id, webinar_offset_minutes: 60, ...email() });
const clearing = { preview_text: null, sender_id: null, webinar_offset_minutes: null };

test.each([...taken, ['clearing', () => clearing], ['nothing', () => ({})]] as Input[])(
  'TOL-004 update_broadcast makes of %s what PATCH makes of it',
  async (_, sent) => {
    const [overRest, overTool] = await whileItIs(world(), new Date().toISOString(), async () => {
      const [one, other] = [await newDraft(org, start()), await newDraft(org, start())];
      return [await update.rest(org, one.id, sent()), await update.tool(org, other.id, sent())];
    });
    const { id } = overTool.body.broadcast;
    expect(overTool.body).toEqual({ broadcast: { ...overRest.body.broadcast, id } });
    expect(await read(org, id)).toEqual(overTool.body.broadcast);
  },
);

test.each(refused)('TOL-004 update_broadcast refuses %s as PATCH does', async (_, sent) => {
  const { id } = await newDraft(org, start());
  const overRest = await update.rest(org, id, sent());
  expect([400, 404]).toContain(overRest.status);
  expect(said(await update.tool(org, id, sent()))).toEqual(said(overRest));
});
