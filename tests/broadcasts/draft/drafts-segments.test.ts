import { expect, test } from 'vitest';
import { codesOf, newDraft, plan, schedule, readyDraft } from '../../support/broadcast.ts';
import { contentsOf } from '../../support/org-contents.ts';
import { newSegment } from '../../support/segment.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { isLong } from '../../support/volume.ts';
import { faces, pointersOf, putInState, read, refusedChange, update } from './draft-ways.ts';

const world = useWorld();

const filters = [{ property: 'primary_email', op: 'is_not_empty' }];
const remove = {
  rest: (org: TestOrg, id: string) => org.rest(`DELETE /v1/segments/${id}`),
  tool: async (org: TestOrg, segment_id: string) => {
    const { body } = await org.tool('delete_segment', { segment_id });
    return { status: body.status ?? 200, body };
  },
};

const usesOf = async (org: TestOrg, segment_id: string): Promise<unknown> => {
  const { used_by } = (await org.tool('get_segment', { segment_id })).body.segment;
  const { segments } = (await org.rest('GET /v1/segments')).body;
  expect(segments.find((one: { id: string }) => one.id === segment_id).used_by).toEqual(used_by);
  return used_by;
};

test('used_by names drafts and what is scheduled or being sent, newest first, and nothing that is over', async () => {
  const org = await world().newOrg();
  const segment_id = await newSegment(org, filters);
  const toSegment = { audience: 'segment', segment_id };
  const nameless = await newDraft(org, toSegment);
  const named = await newDraft(org, { ...toSegment, subject: 'Named' });
  const planned = await readyDraft(world(), org, { ...toSegment, subject: 'Scheduled' });
  await schedule(org, planned.id);
  for (const status of ['sending', 'sent', 'stopped', 'error']) {
    const { id } = await newDraft(org, { ...toSegment, subject: status });
    await putInState(world(), id, status, { sent: status === 'sent' ? 1 : 0 });
  }
  await newDraft(org, {
    audience: 'segment',
    segment_id: await newSegment(org, filters),
    subject: 'Elsewhere',
  });
  expect(await usesOf(org, segment_id)).toEqual([
    { kind: 'broadcast', id: expect.any(String), name: 'sending' },
    { kind: 'broadcast', id: planned.id, name: 'Scheduled' },
    { kind: 'broadcast', id: named.id, name: 'Named' },
    { kind: 'broadcast', id: nameless.id, name: 'A broadcast without a subject' },
  ]);
});

test('used_by follows what becomes of a broadcast', async () => {
  const org = await world().newOrg();
  const [one, other] = [await newSegment(org, filters), await newSegment(org, filters)];
  const { id } = await newDraft(org, { audience: 'segment', segment_id: one, subject: 'Moving' });
  const use = { kind: 'broadcast', id, name: 'Moving' };
  expect([await usesOf(org, one), await usesOf(org, other)]).toEqual([[use], []]);
  await update.tool(org, id, { segment_id: other });
  expect([await usesOf(org, one), await usesOf(org, other)]).toEqual([[], [use]]);
  await update.rest(org, id, { audience: 'everyone' });
  expect([await usesOf(org, one), await usesOf(org, other)]).toEqual([[], []]);
  await update.rest(org, id, { audience: 'segment', segment_id: one });
  await org.rest(`DELETE /v1/broadcasts/${id}`);
  expect(await usesOf(org, one)).toEqual([]);
});

test('used_by names the newest twenty of many', async () => {
  const org = await world().newOrg();
  const segment_id = await newSegment(org, filters);
  for (let at = 0; at < 25; at++)
    await newDraft(org, { audience: 'segment', segment_id, subject: `Number ${at}` });
  const uses = (await usesOf(org, segment_id)) as { name: string }[];
  expect(uses.map(({ name }) => name)).toEqual(Array.from({ length: 20 }, (_, at) => `Number ${24 - at}`));
});

test.each(faces)(
  'SEG-067 over %s a segment stays while a broadcast is scheduled for it or being sent to it',
  async (face) => {
    const org = await world().newOrg();
    const segment_id = await newSegment(org, filters);
    const { id } = await readyDraft(world(), org, { audience: 'segment', segment_id });
    await schedule(org, id);
    const refuse = async () => {
      const before = await contentsOf(world().admin, org);
      const { status, body } = await remove[face](org, segment_id);
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'still_referenced' });
      expect(body.detail).toContain(id);
      expect(await contentsOf(world().admin, org)).toEqual(before);
    };
    await refuse();
    await putInState(world(), id, 'sending');
    await refuse();
    await putInState(world(), id, 'sent', { sent: 1 });
    expect((await remove[face](org, segment_id)).body).toEqual({ deleted: true, segment_id });
    expect((await read(org, id)).audience).toMatchObject({
      kind: 'segment',
      segment_id: null,
      segment_name: null,
    });
  },
);

test.each(faces)(
  'SEG-067 over %s a segment that drafts use is deleted, and their next plan says so',
  async (face) => {
    const org = await world().newOrg();
    const segment_id = await newSegment(org, filters);
    const { id } = await readyDraft(world(), org, { audience: 'segment', segment_id });
    expect(codesOf(await plan(org, id))).toEqual([]);
    expect((await remove[face](org, segment_id)).body).toEqual({ deleted: true, segment_id });
    const planned = await plan(org, id);
    expect(codesOf(planned, 'error')).toEqual(['segment_invalid']);
    expect(planned).toMatchObject({
      ready: false,
      audience: { kind: 'segment', recipients: 0 },
      preview: null,
    });
    expect((await read(org, id)).audience).toMatchObject({ kind: 'segment', segment_id: null });
  },
);

test('BRD-015 BRD-043 a draft whose segment is gone can be changed otherwise, and takes another segment', async () => {
  const org = await world().newOrg();
  const segment_id = await newSegment(org, filters);
  const { id } = await readyDraft(world(), org, { audience: 'segment', segment_id });
  await remove.rest(org, segment_id);
  for (const face of faces) {
    const { status, body } = await update[face](org, id, { subject: `Over ${face}` });
    expect({ status, subject: body.broadcast?.subject }).toEqual({ status: 200, subject: `Over ${face}` });
  }
  const asked = await refusedChange(world(), org, id, { audience: 'segment' });
  expect(pointersOf(asked)).toEqual(['/segment_id']);
  expect(codesOf(await plan(org, id), 'error')).toEqual(['segment_invalid']);
  await update.tool(org, id, { segment_id: await newSegment(org, filters) });
  expect(codesOf(await plan(org, id), 'error')).toEqual([]);
});

test('SEG-067 of a deletion and a scheduling at once, one is refused', async () => {
  for (let round = 0; round < (isLong ? 8 : 3); round++) {
    const org = await world().newOrg();
    const segment_id = await newSegment(org, filters);
    const { id } = await readyDraft(world(), org, { audience: 'segment', segment_id });
    const { plan_token } = await plan(org, id);
    const [deleted, scheduled] = await Promise.all([
      remove.rest(org, segment_id),
      org.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token }),
    ]);
    expect(new Set([deleted.status, scheduled.status])).toEqual(new Set([200, 409]));
    const { status, audience } = await read(org, id);
    const wanted = scheduled.status === 200 ? ['scheduled', segment_id] : ['draft', null];
    expect([status, audience.segment_id]).toEqual(wanted);
  }
});
