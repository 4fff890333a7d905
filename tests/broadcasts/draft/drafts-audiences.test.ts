import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { newDraft, newWebinar } from '../../support/broadcast.ts';
import { newSegment } from '../../support/segment.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { create, expectNotFound, faces, pointersOf, refusedChange, refusedNew } from './draft-ways.ts';

const world = useWorld();

let org: TestOrg;
let segment_id: string;
let webinar_id: string;
let draft: string;

beforeAll(async () => {
  org = await world().newOrg();
  segment_id = await newSegment(org, [{ property: 'primary_email', op: 'is_not_empty' }]);
  webinar_id = await newWebinar(world(), org);
  draft = (await newDraft(org, { audience: 'webinar', webinar_id })).id;
});

const toWebinar = () => ({ audience: 'webinar', webinar_id });
const nowhere = { segment_id: null, segment_name: null, webinar_id: null, webinar_title: null };

test.each(faces)(
  'BRD-007 BRD-008 BRD-011 BRD-013 over %s these channels and audiences are taken',
  async (face) => {
    const toSegment = { kind: 'segment', segment_id, segment_name: 'A segment', webinar_audience: null };
    const registrants = {
      kind: 'webinar',
      webinar_id,
      webinar_title: 'Getting started',
      webinar_audience: 'registered',
    };
    for (const [sent, channel, audience] of [
      [{ audience: 'everyone' }, 'email', { kind: 'everyone', webinar_audience: null }],
      [{ audience: 'segment', segment_id }, 'email', toSegment],
      [toWebinar(), 'email', registrants],
      [{ ...toWebinar(), channel: 'email' }, 'email', registrants],
      [{ ...toWebinar(), channel: 'sms' }, 'sms', registrants],
    ] as const) {
      const { body } = await create[face](org, sent);
      expect(body).toMatchObject({ created: true, broadcast: { channel, status: 'draft' } });
      expect(body.broadcast.audience).toEqual({ ...nowhere, ...audience });
    }
  },
);

test.each([
  ['BRD-008', 'channel', ['mail', 'SMS', 'Email', 'email ', '', null, 1, ['email']]],
  ['BRD-013', 'audience', ['all', 'EVERYONE', 'segments', ' webinar', '', null, 0, { kind: 'everyone' }]],
  ['BRD-020', 'webinar_audience', ['all', 'Registered', 'no-show', '', null, true]],
  ['BRD-030', 'webinar_anchor', ['begin', 'START', 'start_time', '', null, 60]],
])('%s another %s is refused, naming the valid ones: %j', async (_, field, values) => {
  const allowed: Record<string, string[]> = {
    channel: ['email', 'sms'],
    audience: ['everyone', 'segment', 'webinar'],
    webinar_audience: ['registered', 'attended', 'no_show'],
    webinar_anchor: ['start', 'end'],
  };
  for (const value of values) {
    const named = [{ pointer: `/${field}`, allowed: allowed[field] }];
    expect(await refusedNew(world(), org, { ...toWebinar(), [field]: value })).toMatchObject(named);
    expect(await refusedChange(world(), org, draft, { [field]: value })).toMatchObject(named);
  }
});

test.each([
  ['BRD-009', 'everyone'],
  ['BRD-010', 'segment'],
])('%s a text to audience %s is refused', async (_, audience) => {
  const target = audience === 'segment' ? { segment_id } : {};
  const named = [{ pointer: '/audience', code: 'not_for_sms', allowed: ['webinar'] }];
  const sent = { channel: 'sms', audience, ...target };
  expect(await refusedNew(world(), org, sent)).toMatchObject(named);
  expect(await refusedChange(world(), org, draft, sent)).toMatchObject(named);
});

test('BRD-012 without an audience a draft is refused', async () => {
  for (const sent of [
    {},
    { subject: 'Hello' },
    { segment_id },
    { webinar_id },
    { channel: 'sms', webinar_id },
  ]) {
    expect(pointersOf(await refusedNew(world(), org, sent))).toEqual(['/audience']);
  }
});

test.each([
  ['BRD-015', 'segment', 'segment_id'],
  ['BRD-017', 'webinar', 'webinar_id'],
])('%s audience %s without %s is refused', async (_, audience, field) => {
  const { id } = await newDraft(org, { audience: 'everyone' });
  const named = [{ pointer: `/${field}`, code: 'required' }];
  expect(await refusedNew(world(), org, { audience })).toMatchObject(named);
  expect(await refusedChange(world(), org, id, { audience })).toMatchObject(named);
});

test.each([
  ['BRD-016', 'segment', 'segment_id'],
  ['BRD-018', 'webinar', 'webinar_id'],
])('%s audience %s with an unknown %s is refused', async (_, audience, field) => {
  await expectNotFound(world(), org, draft, { audience, [field]: randomUUID() });
  for (const wrong of ['', 'a name', 7, null, [segment_id]]) {
    expect(pointersOf(await refusedNew(world(), org, { audience, [field]: wrong }))).toEqual([`/${field}`]);
  }
});

test.each(faces)(
  'BRD-019 BRD-020 BRD-028 BRD-030 over %s webinar_audience and webinar_anchor default',
  async (face) => {
    const { broadcast } = (await create[face](org, toWebinar())).body;
    expect(broadcast).toMatchObject({
      audience: { webinar_audience: 'registered' },
      timing: { webinar_anchor: 'start' },
    });
    for (const webinar_audience of ['registered', 'attended', 'no_show']) {
      for (const webinar_anchor of ['start', 'end']) {
        const sent = { ...toWebinar(), webinar_audience, webinar_anchor };
        const { body } = await create[face](org, sent);
        expect(body.broadcast).toMatchObject({ audience: { webinar_audience }, timing: { webinar_anchor } });
      }
    }
  },
);

test.each([
  ['webinar_audience', 'attended'],
  ['webinar_offset_minutes', 60],
  ['webinar_anchor', 'end'],
])('BRD-024 %s is refused for everyone and for a segment', async (field, value) => {
  for (const list of [{ audience: 'everyone' }, { audience: 'segment', segment_id }]) {
    const named = [{ pointer: `/${field}`, code: 'does_not_fit' }];
    expect(await refusedNew(world(), org, { ...list, [field]: value })).toMatchObject(named);
    const { id } = await newDraft(org, list);
    expect(await refusedChange(world(), org, id, { [field]: value })).toMatchObject(named);
  }
});

test('BRD-027 webinar_offset_minutes is a number and nothing else', async () => {
  for (const wrong of ['60', '', true, [60], { minutes: 60 }, 1e9, -1e9]) {
    const sent = { webinar_offset_minutes: wrong };
    expect(pointersOf(await refusedNew(world(), org, { ...toWebinar(), ...sent }))).toEqual([
      '/webinar_offset_minutes',
    ]);
    expect(pointersOf(await refusedChange(world(), org, draft, sent))).toEqual(['/webinar_offset_minutes']);
  }
  const missing = { ...toWebinar(), webinar_offset_minutes: null };
  expect(pointersOf(await refusedNew(world(), org, missing))).toEqual(['/webinar_offset_minutes']);
  for (const webinar_offset_minutes of [60, 0, -90, 1.5, 527_040, -527_040]) {
    const made = await newDraft(org, { ...toWebinar(), webinar_offset_minutes });
    expect(made.timing.webinar_offset_minutes).toBe(webinar_offset_minutes);
  }
});
