import { beforeAll, expect, test } from 'vitest';
import {
  codesOf,
  newDraft,
  newWebinar,
  plan,
  register,
  setLayout,
  setWebinar,
} from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import {
  away,
  blocksUntil,
  checkOf,
  hour,
  minute,
  patch,
  readyInvitation,
  readyText,
  setNumber,
  warnsUntil,
  whileItIs,
} from './plan-support.ts';

const world = useWorld();

const now = '2027-03-26T10:00:00.000Z';
// In Berlin the clocks go forward between the start less three hours and the start.
const start = '2027-03-28T01:30:00.000Z';

/** The same webinar in three zones, each with somebody who gets emails and texts. */
interface Stage {
  readonly org: TestOrg;
  readonly sender_id: string;
  readonly webinars: readonly string[];
}
let stage: Stage;
beforeAll(async () => {
  const org = await world().newOrg();
  await org.rest('PATCH /v1/settings', { timezone: 'America/New_York' });
  await setLayout(org);
  await setNumber(org);
  const person = await org.person({ email: 'gus@example.com', phone: '+15550100123', first_name: 'Gus' });
  const webinars: string[] = [];
  for (const timezone of ['Europe/Berlin', 'Asia/Tokyo', null]) {
    const id = await newWebinar(world(), org, { start_time: start, duration_minutes: 45.5, timezone });
    await register(world(), org, id, person);
    webinars.push(id);
  }
  stage = { org, sender_id: await newSender(world(), org), webinars };
});

test.each([
  [{ webinar_offset_minutes: 60 }, '2027-03-28T00:30:00.000Z'],
  [{ webinar_offset_minutes: 0 }, '2027-03-28T01:30:00.000Z'],
  [{ webinar_offset_minutes: -60 }, '2027-03-28T02:30:00.000Z'],
  [{ webinar_offset_minutes: 1440 }, '2027-03-27T01:30:00.000Z'],
  [{ webinar_offset_minutes: -1440 }, '2027-03-29T01:30:00.000Z'],
  [{ webinar_offset_minutes: 0.5 }, '2027-03-28T01:29:30.000Z'],
  [{ webinar_offset_minutes: -1.25 }, '2027-03-28T01:31:15.000Z'],
  [{ webinar_offset_minutes: 1 / 3 }, '2027-03-28T01:29:40.000Z'],
  [{ webinar_offset_minutes: 0.1, webinar_anchor: 'start' }, '2027-03-28T01:29:54.000Z'],
  [{ webinar_offset_minutes: 15, webinar_anchor: 'start' }, '2027-03-28T01:15:00.000Z'],
  [{ webinar_offset_minutes: 15, webinar_anchor: 'end' }, '2027-03-28T02:00:30.000Z'],
  [{ webinar_offset_minutes: 0, webinar_anchor: 'end' }, '2027-03-28T02:15:30.000Z'],
  [{ webinar_offset_minutes: -30, webinar_anchor: 'end' }, '2027-03-28T02:45:30.000Z'],
])('PLN-005 timed by %j it is planned for %s, in whatever zone', async (timing, at) => {
  const { org, sender_id, webinars } = stage;
  for (const webinar_id of webinars) {
    const toWebinar = { audience: 'webinar', webinar_id, ...timing };
    const email = await newDraft(org, { ...toWebinar, subject: 'Hello', html: '<p>Hello</p>', sender_id });
    const text = await newDraft(org, { ...toWebinar, channel: 'sms', message_body: 'Soon, or STOP' });
    await whileItIs(world(), now, async () => {
      for (const { id } of [email, text]) {
        const planned = await plan(org, id, null);
        expect(planned).toMatchObject({ ready: true, delivery: { send_at: at, paced_over_hours: 0 } });
      }
    });
  }
});

test('PLN-005 the plan follows the webinar when it moves', async () => {
  const org = await world().newOrg();
  const webinar = await newWebinar(world(), org, { start_time: start });
  const { id } = await readyInvitation(world(), org, webinar, { webinar_offset_minutes: 60 });
  await whileItIs(world(), now, async () => {
    expect((await plan(org, id, null)).delivery.send_at).toBe(away(start, -hour));
    await setWebinar(world(), webinar, { start_time: away(start, 24 * hour) });
    expect((await plan(org, id, null)).delivery.send_at).toBe(away(start, 23 * hour));
  });
});

test.each(['2027-03-27T12:00:00+02:00', '2020-01-01T00:00:00Z', '2035-01-01T00:00:00Z'])(
  'PLN-006 send_at_ignored: send_at %s changes nothing of a broadcast timed by its webinar',
  async (send_at) => {
    const org = await world().newOrg();
    const webinar_id = await newWebinar(world(), org, { start_time: start, duration_minutes: 30 });
    const end = { webinar_offset_minutes: -10, webinar_anchor: 'end' };
    for (const { id, at } of [
      { ...(await readyInvitation(world(), org, webinar_id, { webinar_offset_minutes: 60 })), at: -60 },
      { ...(await readyInvitation(world(), org, webinar_id, end)), at: 40 },
      { ...(await readyText(world(), org, { webinar_id, webinar_offset_minutes: 15 })), at: -15 },
    ]) {
      await whileItIs(world(), now, async () => {
        const check = await warnsUntil(org, id, 'send_at_ignored', async () => undefined, [send_at, null]);
        expect(check).toEqual({ level: 'warning', code: 'send_at_ignored', message: expect.any(String) });
        expect((await plan(org, id, send_at)).delivery.send_at).toBe(away(start, at * minute));
      });
    }
  },
);

test('PLN-007 PLN-023 without an offset send_at is what counts, also of a webinar that is near or has an anchor', async () => {
  const org = await world().newOrg();
  const webinar = await newWebinar(world(), org, { start_time: away(now, 10 * minute) });
  const { id } = await readyInvitation(world(), org, webinar, { webinar_anchor: 'end' });
  await whileItIs(world(), now, async () => {
    const planned = await plan(org, id, '2027-03-27T12:00:00+02:00');
    expect(planned).toMatchObject({ ready: true, delivery: { send_at: '2027-03-27T10:00:00.000Z' } });
    expect(codesOf(planned)).toEqual([]);
    await patch(org, id, { webinar_offset_minutes: -120, webinar_anchor: 'start' });
    expect((await plan(org, id, null)).delivery.send_at).toBe(away(now, 130 * minute));
    await patch(org, id, { webinar_offset_minutes: null });
    expect(codesOf(await plan(org, id, null), 'error')).toEqual(['send_at_required']);
  });
});

test.each([
  [60, 2 * hour],
  [0, hour],
  [-30, 30 * minute],
])(
  'PLN-024 PLN-039 offset %d: a time reckoned from the webinar is too soon a millisecond short of an hour',
  async (webinar_offset_minutes, startsIn) => {
    const org = await world().newOrg();
    const webinar_id = await newWebinar(world(), org, { start_time: away(now, startsIn - 1) });
    const email = await readyInvitation(world(), org, webinar_id, { webinar_offset_minutes });
    const text = await readyText(world(), org, { webinar_id, webinar_offset_minutes });
    for (const { id } of [email, text]) {
      await whileItIs(world(), now, async () => {
        await setWebinar(world(), webinar_id, { start_time: away(now, startsIn - 1) });
        const mend = () => setWebinar(world(), webinar_id, { start_time: away(now, startsIn) });
        const check = await blocksUntil(org, id, 'send_at_too_soon', mend, [null, null]);
        expect(check.message).toContain(away(now, hour - 1));
      });
    }
  },
);

test('PLN-040 PLN-041 a time reckoned from the webinar may be a year away and no more', async () => {
  const org = await world().newOrg();
  const start_time = '2028-03-26T11:00:00.001Z';
  const webinar = await newWebinar(world(), org, { start_time });
  const { id } = await readyInvitation(world(), org, webinar, { webinar_offset_minutes: 60 });
  await whileItIs(world(), now, async () => {
    const mend = () => setWebinar(world(), webinar, { start_time: away(start_time, -1) });
    const check = await blocksUntil(org, id, 'send_at_too_far', mend, [null, null]);
    expect(check.message).toContain('2028-03-26T10:00:00.001Z');
  });
});

test('PLN-011 webinar_end_unknown is there until the webinar has a duration, or the start is the anchor', async () => {
  const org = await world().newOrg();
  const timing = { webinar_offset_minutes: 10, webinar_anchor: 'end' };
  const webinar_id = await newWebinar(world(), org, { start_time: start });
  const email = await readyInvitation(world(), org, webinar_id, timing);
  const text = await readyText(world(), org, { webinar_id, ...timing });
  await whileItIs(world(), now, async () => {
    expect((await plan(org, email.id, null)).delivery.send_at).toBeNull();
    const anchor = () => patch(org, email.id, { webinar_anchor: 'start' });
    await blocksUntil(org, email.id, 'webinar_end_unknown', anchor, [null, null]);
    // A send_at that was sent all the same does not stand in for the time that is not known.
    const ignored = await plan(org, text.id, away(now, 24 * hour));
    expect(ignored).toMatchObject({ ready: false, delivery: { send_at: null } });
    expect(codesOf(ignored)).toEqual(['webinar_end_unknown', 'send_at_ignored']);
    const duration = () => setWebinar(world(), webinar_id, { duration_minutes: 30 });
    await blocksUntil(org, text.id, 'webinar_end_unknown', duration, [null, null]);
  });
});

test('PLN-029 webinar_canceled blocks while the webinar is canceled, and names it', async () => {
  const org = await world().newOrg();
  const webinar_id = await newWebinar(world(), org, { start_time: start, title: 'Growing beans' });
  const email = await readyInvitation(world(), org, webinar_id);
  const text = await readyText(world(), org, { webinar_id, webinar_offset_minutes: 60 });
  await whileItIs(world(), now, async () => {
    for (const [id, send_at] of [[email.id, away(now, 24 * hour)] as const, [text.id, null] as const]) {
      await setWebinar(world(), webinar_id, { status: 'canceled' });
      const mend = () => setWebinar(world(), webinar_id, { status: 'scheduled' });
      const check = await blocksUntil(org, id, 'webinar_canceled', mend, [send_at, send_at]);
      expect(check.message).toContain('Growing beans');
      await setWebinar(world(), webinar_id, { status: 'draft' });
      expect(checkOf(await plan(org, id, send_at), 'webinar_canceled')).toBeUndefined();
    }
  });
});
