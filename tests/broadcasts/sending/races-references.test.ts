import { beforeEach, expect, test } from 'vitest';
import { newDraft, plan, setLayout } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import { newSegment } from '../../support/segment.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { volume } from '../../support/volume.ts';
import { useWorld } from '../../support/world.ts';
import { filters } from '../plan/drift-setting.ts';
import { rest } from '../plan/schedule-ways.ts';

const world = useWorld();
const rounds = volume(40, 8); // each has a sender of its own, of which there may be 50

let org: TestOrg;
let senders = 0;
beforeEach(async () => {
  org = await world().newOrg();
  await setLayout(org);
  await org.person({ email: 'rita@example.com', first_name: 'Rita' });
});

/** A draft with a segment and a sender of its own, planned. */
async function newPlanned() {
  const segment_id = await newSegment(org, filters);
  const sender_id = await newSender(world(), org, { email: `news-${senders++}@example.net` });
  const content = { subject: 'Hello', html: '<p>Hello</p>' };
  const { id } = await newDraft(org, { audience: 'segment', segment_id, sender_id, ...content });
  const { plan_token } = await plan(org, id);
  return { id: id as string, segment_id, sender_id, schedule: () => rest.schedule(org, id, { plan_token }) };
}

type Planned = Awaited<ReturnType<typeof newPlanned>>;

/** Schedules while something else happens, many times; answers both, `ok` or a code. */
async function whileScheduling(
  other: (planned: Planned) => Promise<{ status: number; body: { code?: string } }>,
) {
  const outcomes: { planned: Planned; scheduled: string; other: string }[] = [];
  const waiting = Array.from({ length: rounds }).values();
  const work = async (): Promise<void> => {
    for (const _ of waiting) {
      const planned = await newPlanned();
      const answers = await Promise.all([planned.schedule(), other(planned)]);
      const [scheduled, second] = answers.map(({ status, body }) =>
        status < 300 ? 'ok' : `${status} ${body.code}`,
      );
      outcomes.push({ planned, scheduled: scheduled!, other: second! });
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
  return outcomes;
}

const read = async (id: string) => (await org.rest(`GET /v1/broadcasts/${id}`)).body.broadcast;

test('SCH-015 SCH-021 a segment deleted while its broadcast is scheduled: one of the two is refused', async () => {
  const outcomes = await whileScheduling(({ segment_id }) => org.rest(`DELETE /v1/segments/${segment_id}`));
  for (const { planned, scheduled, other } of outcomes) {
    const { status, audience } = await read(planned.id);
    const seen = { scheduled, other, status, segment_id: audience.segment_id };
    expect([
      { scheduled: 'ok', other: '409 still_referenced', status: 'scheduled', segment_id: planned.segment_id },
      { scheduled: '409 plan_stale', other: 'ok', status: 'draft', segment_id: null },
    ]).toContainEqual(seen);
  }
}, 240_000);

test('SCH-016 SCH-021 filters changed while their broadcast is scheduled: it is stale or came first', async () => {
  const changed = [...filters, { property: 'mrr', op: 'gt', value: 5 }];
  const outcomes = await whileScheduling(({ segment_id }) =>
    org.rest(`PATCH /v1/segments/${segment_id}`, { filters: changed }),
  );
  for (const { planned, scheduled, other } of outcomes) {
    const { status } = await read(planned.id);
    expect(other).toBe('ok');
    expect(['ok scheduled', '409 plan_stale draft']).toContain(`${scheduled} ${status}`);
  }
}, 240_000);

test('SCH-014 SCH-021 a sender deleted while its broadcast is scheduled: one of the two is refused', async () => {
  const outcomes = await whileScheduling(({ sender_id }) => org.rest(`DELETE /v1/senders/${sender_id}`));
  for (const { planned, scheduled, other } of outcomes) {
    const { status, sender } = await read(planned.id);
    const seen = { scheduled, other, status, sender_id: sender?.id };
    expect([
      { scheduled: 'ok', other: '409 still_referenced', status: 'scheduled', sender_id: planned.sender_id },
      { scheduled: '409 plan_stale', other: 'ok', status: 'draft', sender_id: undefined },
    ]).toContainEqual(seen);
  }
}, 240_000);

test('SCH-014 SCH-021 a sender renamed while its broadcast is scheduled: it is stale or came first', async () => {
  const outcomes = await whileScheduling(({ sender_id }) =>
    org.rest(`PATCH /v1/senders/${sender_id}`, { name: 'The Herald' }),
  );
  for (const { planned, scheduled, other } of outcomes) {
    const { status } = await read(planned.id);
    expect(other).toBe('ok');
    expect(['ok scheduled', '409 plan_stale draft']).toContain(`${scheduled} ${status}`);
  }
}, 240_000);

test('a segment and a sender stay while a broadcast is scheduled with them, and may go once it is taken back', async () => {
  const { id, segment_id, sender_id, schedule } = await newPlanned();
  expect((await schedule()).status).toBe(200);
  const paths = [`/v1/segments/${segment_id}`, `/v1/senders/${sender_id}`];
  for (const path of paths) {
    const refused = await org.rest(`DELETE ${path}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'still_referenced']);
  }
  expect((await rest.unschedule(org, id)).status).toBe(200);
  for (const path of paths) expect((await org.rest(`DELETE ${path}`)).status).toBe(200);
});
