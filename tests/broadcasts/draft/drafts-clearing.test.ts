import { beforeAll, expect, test } from 'vitest';
import { newDraft, newWebinar } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { faces, pointersOf, read, refusedChange, refusedNew, update, type Fields } from './draft-ways.ts';

const world = useWorld();

let org: TestOrg;
let invitation: Fields;
let text: Fields;

beforeAll(async () => {
  org = await world().newOrg();
  const sender_id = await newSender(world(), org);
  const timing = { webinar_audience: 'attended', webinar_offset_minutes: 60, webinar_anchor: 'end' };
  const toWebinar = { audience: 'webinar', webinar_id: await newWebinar(world(), org), ...timing };
  invitation = { ...toWebinar, subject: 'Hello', preview_text: 'Inside', html: '<p>Hello</p>', sender_id };
  text = { channel: 'sms', ...toWebinar, message_body: 'Hello' };
});

const clearable = ['preview_text', 'sender_id', 'webinar_offset_minutes'];
const others = [
  'channel',
  'audience',
  'segment_id',
  'webinar_id',
  'webinar_audience',
  'webinar_anchor',
  'subject',
  'html',
  'message_body',
  'variables',
];

test.each(faces)(
  'BRD-045 BRD-046 BRD-047 over %s null clears the three that it may clear, at once or one by one',
  async (face) => {
    const all = Object.fromEntries(clearable.map((field) => [field, null]));
    const cleared = {
      preview_text: null,
      sender: null,
      timing: { webinar_offset_minutes: null, webinar_anchor: 'end' },
    };
    const { id } = await newDraft(org, invitation);
    expect((await update[face](org, id, all)).body.broadcast).toMatchObject(cleared);
    const stepwise = await newDraft(org, invitation);
    for (const field of clearable)
      expect((await update[face](org, stepwise.id, { [field]: null })).status).toBe(200);
    expect(await read(org, stepwise.id)).toMatchObject(cleared);
    const back = { preview_text: 'Back', webinar_offset_minutes: 5 };
    const { broadcast } = (await update[face](org, id, back)).body;
    expect(broadcast).toMatchObject({
      preview_text: 'Back',
      sender: null,
      timing: { webinar_offset_minutes: 5 },
    });
  },
);

test.each(others)('BRD-043 null does not clear %s', async (field) => {
  for (const sent of [invitation, text]) {
    const { id } = await newDraft(org, sent);
    expect(pointersOf(await refusedChange(world(), org, id, { [field]: null }))).toEqual([`/${field}`]);
  }
});

test.each([...clearable, ...others])(
  'BRD-042 a new draft has nothing to clear: null is no value of %s',
  async (field) => {
    expect(pointersOf(await refusedNew(world(), org, { ...invitation, [field]: null }))).toEqual([
      `/${field}`,
    ]);
  },
);

test('a broadcast_id in the body is taken when it is the one of the path, and unknown fields are named', async () => {
  const [{ id }, other] = [await newDraft(org, invitation), await newDraft(org, invitation)];
  expect((await update.rest(org, id, { broadcast_id: id, subject: 'Same' })).status).toBe(200);
  const wrong = await update.rest(org, id, { broadcast_id: other.id, subject: 'Other' });
  expect(wrong).toMatchObject({ status: 400, body: { errors: [{ pointer: '/broadcast_id' }] } });
  const unknown = { subjct: 'Typo', status: 'sent', send_at: 'now' };
  expect(pointersOf(await refusedChange(world(), org, id, unknown))).toEqual([
    '/send_at',
    '/status',
    '/subjct',
  ]);
  expect(pointersOf(await refusedNew(world(), org, { ...invitation, ...unknown }))).toEqual([
    '/send_at',
    '/status',
    '/subjct',
  ]);
  expect(await read(org, other.id)).toEqual(other);
  expect((await read(org, id)).subject).toBe('Same');
});
