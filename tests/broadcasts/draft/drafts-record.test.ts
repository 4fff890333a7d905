import { beforeAll, expect, test } from 'vitest';
import { codesOf, newDraft, newWebinar, plan, readyDraft } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import { newSegment } from '../../support/segment.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { create, faces, previewFor, putInState, read, refusedNew, update, type Json } from './draft-ways.ts';
import { setNumber } from '../plan/plan-support.ts';

const world = useWorld();

let org: TestOrg;
let webinar_id: string;
let sender_id: string;

beforeAll(async () => {
  org = await world().newOrg();
  webinar_id = await newWebinar(world(), org);
  sender_id = await newSender(world(), org, { email: 'news@record.test', reply_to: 'ask@record.test' });
});

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A record of a draft that nothing was said about but its audience. */
const bare = (): Json => ({
  id: expect.stringMatching(uuid),
  status: 'draft',
  channel: 'email',
  audience: {
    kind: 'everyone',
    segment_id: null,
    segment_name: null,
    webinar_id: null,
    webinar_title: null,
    webinar_audience: null,
  },
  subject: null,
  preview_text: null,
  html: null,
  message_body: null,
  variables: {},
  sender: null,
  timing: {
    send_at: null,
    webinar_offset_minutes: null,
    webinar_anchor: null,
    webinar_moved: false,
    paced_over_hours: null,
    started_at: null,
    finished_at: null,
  },
  counts: { recipients: 0, sent: 0, skipped: 0, failed: 0 },
  error: null,
  revision: 1,
  created_at: expect.stringMatching(moment),
  updated_at: expect.stringMatching(moment),
  created_by: { kind: 'api_key', id: org.keyId },
  planned_by: null,
  scheduled_by: null,
  hold_if_audience_changes_by: null,
  held: null,
});

test.each(faces)(
  'BRD-031 BRD-037 BRD-042 over %s a draft needs its audience alone, and has every field',
  async (face) => {
    const { body } = await create[face](org, { audience: 'everyone' });
    expect(body).toEqual({ broadcast: bare(), created: true });
    expect(body.broadcast.updated_at).toBe(body.broadcast.created_at);
    expect(await read(org, body.broadcast.id)).toEqual(body.broadcast);
  },
);

test.each(faces)(
  'BRD-031 over %s emails and texts may lack their content, and the plan asks for it',
  async (face) => {
    const segment_id = await newSegment(org, [{ property: 'primary_email', op: 'is_not_empty' }]);
    const toWebinar = { audience: 'webinar', webinar_id };
    for (const [sent, lacking] of [
      [{ audience: 'everyone' }, ['body_missing', 'subject_missing', 'sender_missing']],
      [{ audience: 'segment', segment_id }, ['body_missing', 'subject_missing', 'sender_missing']],
      [toWebinar, ['body_missing', 'subject_missing', 'sender_missing']],
      [{ ...toWebinar, channel: 'sms' }, ['body_missing']],
    ] as const) {
      const { broadcast } = (await create[face](org, sent)).body;
      const empty = { subject: null, preview_text: null, html: null, message_body: null, sender: null };
      expect(broadcast).toMatchObject({ ...empty, variables: {} });
      expect(codesOf(await plan(org, broadcast.id), 'error')).toEqual(expect.arrayContaining([...lacking]));
    }
  },
);

test('BRD-034 BRD-035 BRD-042 an email reads back with everything that was sent', async () => {
  const sent = { subject: 'Hello', preview_text: 'Inside', html: '<p>Dear {{var_a}}</p>' };
  const defined = { variable: '{{context.root_context.org_user.first_name}}', fallback: 'reader' };
  const all = { audience: 'everyone', ...sent, variables: { var_a: defined }, sender_id };
  const sender = { id: sender_id, from: 'The News <news@record.test>', reply_to: 'ask@record.test' };
  for (const face of faces) {
    const { body } = await create[face](org, all);
    const stored = { ...defined, template: '{{var}}', date_format: null, text_format: 'name' };
    expect(body.broadcast).toEqual({ ...bare(), ...sent, sender, variables: { var_a: stored } });
  }
  const errors = await refusedNew(world(), org, { audience: 'everyone', ...sent });
  expect(errors).toMatchObject([{ pointer: '/variables', code: 'undefined_placeholder' }]);
  for (const wrong of [[], 'var_a', null, [defined], { var_a: 'first_name' }, { var_a: null }]) {
    const [error] = await refusedNew(world(), org, { audience: 'everyone', ...sent, variables: wrong });
    expect(error!.pointer).toMatch(/^\/variables/);
  }
});

const subjects = [
  'Two  blanks, “quotes” & <b>signs</b>, 100 % off 🎉',
  ' leading and trailing ',
  "It's $5 {only} today \\ | é e\u0301 ẞ 日本語",
  'x'.repeat(998),
];

test.each(subjects)('BRD-032 the subject %j is sent exactly as written', async (subject) => {
  const own = await world().newOrg();
  const person = await own.person({ email: 'reader@example.com' });
  const { id } = await newDraft(own, { audience: 'everyone', subject, html: '<p>Hello</p>' });
  expect((await read(own, id)).subject).toBe(subject);
  expect((await plan(own, id)).preview.subject).toBe(subject);
  expect((await previewFor(own, id, person)).subject).toBe(subject);
  await update.tool(own, id, { subject: `${subject.slice(1)}!` });
  expect((await plan(own, id)).preview.subject).toBe(`${subject.slice(1)}!`);
});

test('BRD-033 a preview text is never needed, and sent as written', async () => {
  const own = await world().newOrg();
  const { id } = await readyDraft(world(), own);
  const planned = await plan(own, id);
  expect(planned.ready).toBe(true);
  const { message: without } = await previewFor(own, id, planned.preview.person_id);
  await update.rest(own, id, { preview_text: 'Fish & chips, “half” price {today}' });
  expect(await read(own, id)).toMatchObject({ preview_text: 'Fish & chips, “half” price {today}' });
  expect((await plan(own, id)).ready).toBe(true);
  const { message } = await previewFor(own, id, planned.preview.person_id);
  expect(message).toContain('>Fish &amp; chips, “half” price {today}&#847;');
  expect(without).not.toContain('display:none');
});

test('BRD-036 a text is scheduled without subject, html or sender', async () => {
  await setNumber(org);
  const sms = { channel: 'sms', audience: 'webinar', webinar_id, message_body: 'Soon' };
  const { id } = await newDraft(org, sms);
  const planned = await plan(org, id);
  expect([planned.ready, codesOf(planned, 'error')]).toEqual([true, []]);
  const scheduled = await org.tool('schedule_broadcast', {
    broadcast_id: id,
    plan_token: planned.plan_token,
  });
  const empty = { subject: null, html: null, sender: null };
  expect(scheduled.body.broadcast).toMatchObject({ status: 'scheduled', ...empty });
});

test('BRD-037 BRD-038 in every state a record has its id, its status and its timing', async () => {
  for (const status of ['draft', 'scheduled', 'sending', 'sent', 'stopped', 'error']) {
    const { id } = await newDraft(org, { audience: 'everyone' });
    if (status !== 'draft') await putInState(world(), id, status, { sent: status === 'sent' ? 3 : 0 });
    const broadcast = await read(org, id);
    expect(broadcast).toMatchObject({ id, status });
    expect(String(broadcast.timing.send_at)).toMatch(status === 'draft' ? /^null$/ : moment);
    const { html: _, message_body: __, variables: ___, ...listed } = broadcast;
    const { broadcasts } = (await org.rest('GET /v1/broadcasts?limit=1')).body;
    expect(broadcasts).toEqual([listed]);
  }
  const strange = world().admin.query("update broadcasts set status = 'planned' where org_id = $1", [org.id]);
  await expect(strange).rejects.toThrow(/check constraint/);
});
