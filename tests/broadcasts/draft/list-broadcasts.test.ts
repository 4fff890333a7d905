import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { newDraft, newWebinar } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import { newSegment } from '../../support/segment.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { putInState, read, update, type Json } from './draft-ways.ts';
import { minute, whileItIs } from '../plan/plan-support.ts';

const world = useWorld();

const statuses = ['draft', 'scheduled', 'sending', 'sent', 'stopped', 'error'] as const;
const idsOf = (broadcasts: readonly Json[]): string[] => broadcasts.map(({ id }) => id);

async function list(org: TestOrg, query = ''): Promise<Json> {
  const { status, body } = await org.rest(`GET /v1/broadcasts${query}`);
  if (status !== 200) throw new Error(`list_broadcasts answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Drafts made at such minutes from now, in this order. */
async function draftsAt(org: TestOrg, minutes: readonly number[]): Promise<string[]> {
  const start = Date.now();
  const made: string[] = [];
  try {
    for (const at of minutes) {
      world().clock.now = () => new Date(start + at * minute);
      made.push((await newDraft(org, { audience: 'everyone', subject: `Made at ${at}` })).id);
    }
  } finally {
    world().clock.now = () => new Date();
  }
  return made;
}

test('STA-003 broadcasts are listed newest first, those of one moment in a fixed order', async () => {
  const org = await world().newOrg();
  const made = await draftsAt(org, [1, 3, 2, 4, 4]);
  const [first, third, second, fourth, fifth] = made as [string, string, string, string, string];
  const listed = await list(org);
  expect(idsOf(listed.broadcasts)).toEqual([fifth, fourth, third, second, first]);
  expect(listed).toMatchObject({ total: 5, limit: 50, offset: 0 });
  const later = new Date(Date.now() + 10 * minute).toISOString();
  await whileItIs(world(), later, () => update.rest(org, first, { subject: 'Changed later' }));
  expect((await read(org, first)).updated_at).toBe(later);
  expect(idsOf((await list(org)).broadcasts)).toEqual(idsOf(listed.broadcasts));
});

test('STA-001 STA-003 one broadcast has its body and its variables, and in the list it is the same without them', async () => {
  const org = await world().newOrg();
  const webinar_id = await newWebinar(world(), org);
  const segment_id = await newSegment(org, [{ property: 'primary_email', op: 'is_not_empty' }]);
  const sender_id = await newSender(world(), org);
  const variables = { var_a: { variable: '{{context.root_context.org_user.first_name}}' } };
  const email = {
    audience: 'segment',
    segment_id,
    subject: 'Hi',
    html: '<p>{{var_a}}</p>',
    variables,
    sender_id,
  };
  const sms = { channel: 'sms', audience: 'webinar', webinar_id, message_body: 'Hi {{var_a}}', variables };
  for (const [sent, html, message_body] of [
    [email, email.html, null],
    [sms, null, sms.message_body],
  ] as const) {
    const { id } = await newDraft(org, sent);
    const broadcast = await read(org, id);
    expect(broadcast).toMatchObject({ id, status: 'draft', timing: { send_at: null }, html, message_body });
    expect(broadcast.variables).toEqual({ var_a: expect.objectContaining(variables.var_a) });
    const { html: _, message_body: __, variables: ___, ...rest } = broadcast;
    expect((await list(org, '?limit=1')).broadcasts).toEqual([rest]);
  }
});

test.each(statuses)('STA-004 status=%s lists those alone', async (status) => {
  const org = await world().newOrg();
  const made: Record<string, string[]> = {};
  for (const one of [...statuses, ...statuses]) {
    const { id } = await newDraft(org, { audience: 'everyone' });
    if (one !== 'draft') await putInState(world(), id, one);
    made[one] = [id, ...(made[one] ?? [])];
  }
  const listed = await list(org, `?status=${status}`);
  expect([idsOf(listed.broadcasts), listed.total]).toEqual([made[status], 2]);
  for (const broadcast of listed.broadcasts) expect(broadcast.status).toBe(status);
});

/** One of each channel and webinar, and drafts beside. */
async function furnish(org: TestOrg) {
  const [one, other] = [await newWebinar(world(), org), await newWebinar(world(), org)];
  const toOne = { audience: 'webinar', webinar_id: one };
  const email = (await newDraft(org, { audience: 'everyone' })).id;
  const invitation = (await newDraft(org, toOne)).id;
  const text = (await newDraft(org, { channel: 'sms', ...toOne })).id;
  const scheduled = (await newDraft(org, { channel: 'sms', ...toOne })).id;
  const elsewhere = (await newDraft(org, { channel: 'sms', audience: 'webinar', webinar_id: other })).id;
  await putInState(world(), scheduled, 'scheduled');
  return { one, other, email, invitation, text, scheduled, elsewhere };
}

test('STA-005 STA-006 STA-007 channel and webinar_id choose as well, and several filters must all hold', async () => {
  const org = await world().newOrg();
  const { one, other, email, invitation, text, scheduled, elsewhere } = await furnish(org);
  for (const [query, ids] of [
    ['channel=email', [invitation, email]],
    ['channel=sms', [elsewhere, scheduled, text]],
    [`webinar_id=${one}`, [scheduled, text, invitation]],
    [`webinar_id=${one.toUpperCase()}`, [scheduled, text, invitation]],
    [`webinar_id=${other}`, [elsewhere]],
    [`webinar_id=${one}&channel=sms`, [scheduled, text]],
    [`webinar_id=${one}&channel=sms&status=draft`, [text]],
    [`webinar_id=${one}&channel=email&status=draft`, [invitation]],
    [`webinar_id=${other}&status=scheduled`, []],
    ['status=draft&channel=email&limit=1', [invitation]],
    ['status=draft&channel=email&limit=1&offset=1', [email]],
  ] as const) {
    const { broadcasts, total } = await list(org, `?${query}`);
    expect([query, idsOf(broadcasts)]).toEqual([query, ids]);
    expect([query, total]).toEqual([query, query.includes('limit') ? 2 : ids.length]);
  }
});

test.each([
  ['STA-004', 'status', ['planned', 'DRAFT', ''], statuses],
  ['STA-005', 'channel', ['mail', 'SMS', ''], ['email', 'sms']],
] as const)('%s another %s is refused, naming the valid ones', async (_, field, wrong, allowed) => {
  const org = await world().newOrg();
  for (const value of wrong) {
    const { status, body } = await org.rest(`GET /v1/broadcasts?${field}=${value}`);
    expect({ status, errors: body.errors }).toMatchObject({
      status: 400,
      errors: [{ pointer: `/${field}`, allowed }],
    });
  }
});

test('STA-006 TEN-006 a webinar_id that nobody has, or another organization, is not found', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  for (const id of [randomUUID(), await newWebinar(world(), other)]) {
    const answer = await org.rest(`GET /v1/broadcasts?webinar_id=${id}`);
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
  const wrong = await org.rest('GET /v1/broadcasts?webinar_id=first');
  expect(wrong).toMatchObject({ status: 400, body: { errors: [{ pointer: '/webinar_id' }] } });
});
