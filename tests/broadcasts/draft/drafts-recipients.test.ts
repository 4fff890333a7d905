import { beforeAll, expect, test } from 'vitest';
import { newDraft, newWebinar, plan, register } from '../../support/broadcast.ts';
import { newSegment } from '../../support/segment.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { update } from './draft-ways.ts';

const world = useWorld();

const start_time = '2027-06-01T16:00:00.000Z';
const body = { email: { subject: 'Hello', html: '<p>Hello</p>' }, sms: { message_body: 'Hello' } };

let org: TestOrg;
let webinar_id: string;
let attendee: string;
let noShow: string;

beforeAll(async () => {
  org = await world().newOrg();
  attendee = await org.person({ email: 'came@example.com', phone: '+15550000001' });
  noShow = await org.person({ email: 'missed@example.com', phone: '+15550000002' });
  await org.person({ email: 'stranger@example.com', phone: '+15550000003' });
  await org.person({ phone: '+15550000004' });
  await org.person({ anonymous_id: 'somebody' });
  webinar_id = await newWebinar(world(), org, { start_time, duration_minutes: 90 });
  await register(world(), org, webinar_id, attendee, { attended: true });
  await register(world(), org, webinar_id, noShow);
  const other = await newWebinar(world(), org);
  await register(world(), org, other, noShow, { attended: true });
});

test('BRD-014 everyone is every person with an email address, and nobody without one', async () => {
  const { id } = await newDraft(org, { audience: 'everyone', ...body.email });
  expect((await plan(org, id)).audience).toMatchObject({ kind: 'everyone', recipients: 3, reachable: 3 });
  const late = await org.person({ phone: '+15550000004', email: 'late@example.com' });
  const planned = await plan(org, id);
  expect(planned).toMatchObject({ audience: { recipients: 4 }, preview: { person_id: late } });
  const { identifiers } = (await org.tool('list_identifiers', { person_id: late })).body;
  const email = identifiers.find((one: { identifier_type: string }) => one.identifier_type === 'email');
  await org.tool('remove_identifier', { person_id: late, identifier_id: email.id });
  expect((await plan(org, id)).audience.recipients).toBe(3);
});

test('BRD-014 of other organizations nobody is counted', async () => {
  const other = await world().newOrg();
  const { id } = await newDraft(other, { audience: 'everyone', ...body.email });
  expect(await plan(other, id)).toMatchObject({ audience: { recipients: 0 }, preview: null });
});

test.each([
  ['BRD-021', 'registered', () => [attendee, noShow]],
  ['BRD-022', 'attended', () => [attendee]],
  ['BRD-023', 'no_show', () => [noShow]],
] as const)(
  '%s webinar_audience %s reaches those and nobody else, by email and by text',
  async (_, webinar_audience, who) => {
    for (const channel of ['email', 'sms'] as const) {
      const sent = { channel, audience: 'webinar', webinar_id, webinar_audience, ...body[channel] };
      const planned = await plan(org, (await newDraft(org, sent)).id);
      const people = who();
      const counts = { kind: 'webinar', recipients: people.length, reachable: people.length };
      expect(planned.audience).toMatchObject(counts);
      expect(people).toContain(planned.preview.person_id);
    }
  },
);

test('BRD-021 BRD-022 BRD-023 who registers or comes later is counted by the next plan', async () => {
  const webinar = await newWebinar(world(), org);
  const sent = { audience: 'webinar', webinar_id: webinar, ...body.email };
  const drafts = await Promise.all(
    ['registered', 'attended', 'no_show'].map((webinar_audience) =>
      newDraft(org, { ...sent, webinar_audience }),
    ),
  );
  const counts = () => Promise.all(drafts.map(async ({ id }) => (await plan(org, id)).audience.recipients));
  expect(await counts()).toEqual([0, 0, 0]);
  await register(world(), org, webinar, attendee);
  await register(world(), org, webinar, noShow);
  expect(await counts()).toEqual([2, 0, 2]);
  await world().admin.query(
    'update registrations set attended = true where webinar_id = $1 and person_id = $2',
    [webinar, attendee],
  );
  expect(await counts()).toEqual([2, 1, 1]);
});

test('BRD-014 a segment is its members, with an email address or not', async () => {
  const filters = [{ property: 'primary_phone', op: 'is_not_empty' }];
  const segment_id = await newSegment(org, filters);
  const { id } = await newDraft(org, { audience: 'segment', segment_id, ...body.email });
  expect((await plan(org, id)).audience).toMatchObject({
    segment_name: 'A segment',
    recipients: 4,
    reachable: 3,
    excluded: [{ reason: 'no_address', count: 1 }],
  });
});

const timings = [
  ['BRD-025 BRD-028', { webinar_offset_minutes: 60 }, '2027-06-01T15:00:00.000Z'],
  ['BRD-025', { webinar_offset_minutes: 60, webinar_anchor: 'start' }, '2027-06-01T15:00:00.000Z'],
  ['BRD-025', { webinar_offset_minutes: 2_880.5 }, '2027-05-30T15:59:30.000Z'],
  ['BRD-025 BRD-026', { webinar_offset_minutes: 0 }, start_time],
  ['BRD-026 BRD-028', { webinar_offset_minutes: -45 }, '2027-06-01T16:45:00.000Z'],
  ['BRD-029', { webinar_offset_minutes: 0, webinar_anchor: 'end' }, '2027-06-01T17:30:00.000Z'],
  ['BRD-029', { webinar_offset_minutes: 30, webinar_anchor: 'end' }, '2027-06-01T17:00:00.000Z'],
  ['BRD-029', { webinar_offset_minutes: -1_440, webinar_anchor: 'end' }, '2027-06-02T17:30:00.000Z'],
] as const;

test.each(timings)(
  '%s with %j a webinar at 16:00 for 90 minutes is sent about at %s',
  async (_, timing, send_at) => {
    for (const channel of ['email', 'sms'] as const) {
      const made = await newDraft(org, {
        channel,
        audience: 'webinar',
        webinar_id,
        ...timing,
        ...body[channel],
      });
      expect(made.timing).toMatchObject({ webinar_anchor: 'start', ...timing, send_at: null });
      expect((await plan(org, made.id, null)).delivery).toEqual({ send_at, paced_over_hours: 0 });
      const changed = await newDraft(org, { channel, audience: 'webinar', webinar_id, ...body[channel] });
      await update.tool(org, changed.id, timing);
      expect((await plan(org, changed.id, null)).delivery.send_at).toBe(send_at);
    }
  },
);
