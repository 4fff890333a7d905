import { expect, test } from 'vitest';
import { newWebinar, plan, register, setWebinar, readyDraft } from '../../support/broadcast.ts';
import { newSegment } from '../../support/segment.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { away, hour, minute, readyInvitation, readyText, whileItIs } from './plan-support.ts';

const world = useWorld();

const start = '2027-04-01T10:00:00.000Z';
const changes = /this number will change/;
const always = /resolved again when sending starts.*opted out, bounced or complained.*skipped/;

const noteAt = (org: TestOrg, id: string, moment: string): Promise<string> =>
  whileItIs(world(), moment, async () => (await plan(org, id, away(moment, 24 * hour))).audience.note);

test('PLN-017 every note says that the audience is resolved again when it is sent', async () => {
  const org = await world().newOrg();
  const segment_id = await newSegment(org, [{ property: 'first_name', op: 'is_not_empty' }]);
  const webinar_id = await newWebinar(world(), org, { start_time: start, duration_minutes: 60 });
  const drafts = [
    await readyDraft(world(), org),
    await readyDraft(world(), org, { audience: 'segment', segment_id }),
    await readyInvitation(world(), org, webinar_id),
    await readyText(world(), org, { webinar_id, webinar_audience: 'registered' }),
  ];
  for (const { id } of drafts) {
    for (const moment of [away(start, -hour), away(start, 10 * hour)]) {
      const note = await noteAt(org, id, moment);
      expect(note).toMatch(always);
      expect(note).not.toMatch(changes);
    }
  }
});

test.each(['no_show', 'attended'])(
  'PLN-017 before the webinar has ended, a plan for %s says that the number will change',
  async (webinar_audience) => {
    const org = await world().newOrg();
    const webinar_id = await newWebinar(world(), org, { start_time: start, duration_minutes: 45.5 });
    const email = await readyInvitation(world(), org, webinar_id, { webinar_audience });
    const text = await readyText(world(), org, { webinar_id, webinar_audience });
    for (const { id } of [email, text]) {
      for (const [after, willChange] of [
        [-24 * hour, true],
        [0, true],
        [45 * minute, true],
        [45.5 * minute - 1, true],
        [45.5 * minute, false],
        [24 * hour, false],
      ] as const) {
        const note = await noteAt(org, id, away(start, after));
        expect(changes.test(note), `${after} ms after the start: ${note}`).toBe(willChange);
        expect(note).toMatch(always);
      }
    }
  },
);

test('PLN-017 the two say why: who has not come yet is a no-show, and attendance is to come', async () => {
  const org = await world().newOrg();
  const webinar_id = await newWebinar(world(), org, { start_time: start, duration_minutes: 60 });
  const notes = [];
  for (const webinar_audience of ['no_show', 'attended']) {
    const { id } = await readyInvitation(world(), org, webinar_id, { webinar_audience });
    notes.push(await noteAt(org, id, start));
  }
  expect(notes[0]).toMatch(/no-show/);
  expect(notes[1]).toMatch(/attendance/);
});

test('PLN-017 a webinar that is moved is no longer over', async () => {
  const org = await world().newOrg();
  const webinar_id = await newWebinar(world(), org, { start_time: start, duration_minutes: 60 });
  const { id } = await readyInvitation(world(), org, webinar_id, { webinar_audience: 'no_show' });
  const moment = away(start, 2 * hour);
  expect(await noteAt(org, id, moment)).not.toMatch(changes);
  await setWebinar(world(), webinar_id, { duration_minutes: 121 });
  expect(await noteAt(org, id, moment)).toMatch(changes);
  await setWebinar(world(), webinar_id, { duration_minutes: 60, start_time: away(start, 24 * hour) });
  expect(await noteAt(org, id, moment)).toMatch(changes);
});

test('PLN-018 no_show counts whoever is registered and not recorded as attended at the moment of planning', async () => {
  const org = await world().newOrg();
  const webinar_id = await newWebinar(world(), org, { start_time: start, duration_minutes: 60 });
  const noShow = await readyInvitation(world(), org, webinar_id, { webinar_audience: 'no_show' });
  const attended = await readyInvitation(world(), org, webinar_id, { webinar_audience: 'attended' });
  const another = await org.person({ email: 'ada@example.com' });
  await register(world(), org, webinar_id, another, { attended: true });
  const counts = async () => [
    (await plan(org, noShow.id)).audience.recipients,
    (await plan(org, attended.id)).audience.recipients,
  ];
  expect(await counts()).toEqual([2, 1]);
  const report = 'update registrations set attended = $3 where webinar_id = $1 and person_id = $2';
  await world().admin.query(report, [webinar_id, noShow.person, true]);
  expect(await counts()).toEqual([1, 2]);
  await world().admin.query(report, [webinar_id, another, false]);
  expect(await counts()).toEqual([2, 1]);
});
