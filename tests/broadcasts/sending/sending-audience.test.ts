import { afterEach, expect, test } from 'vitest';
import { newWebinar, register } from '../../support/broadcast.ts';
import { expectBalanced, ledgerOf, quietMoment } from '../../support/ledger.ts';
import {
  ended,
  moveClock,
  readBroadcast,
  receiversOf,
  settled,
  useSending,
  scheduleEmail,
} from '../../support/sending.ts';
import { newReaders, newSendingOrg } from '../../support/reader-rows.ts';
import { newSegment } from '../../support/segment.ts';
import type { TestOrg } from '../../support/test-org.ts';

const sending = useSending();
const hours = 3 * 3_600_000;
afterEach(() => {
  sending().mail.refuse = () => undefined;
});

/** Three hours later, everybody who should have it has it. */
async function sendAll(org: TestOrg, { id, subject, sendAt }: Awaited<ReturnType<typeof scheduleEmail>>) {
  await moveClock(org, sendAt);
  await settled(sending().world, org);
  await moveClock(org, sendAt + hours);
  expect((await ended(org, id)).status).toBe('sent');
  await expectBalanced(sending().world, id);
  return receiversOf(sending().mail, subject).toSorted();
}

/** The reason a person was left out for, or the outcome. */
async function outcomeOf(id: string, person: string): Promise<string> {
  const row = (await ledgerOf(sending().world, id)).find(({ person_id }) => person_id === person);
  return row === undefined ? 'not in the ledger' : (row.reason ?? row.state);
}

async function newTagged(org: TestOrg) {
  await org.rest('POST /v1/property-configs', { key: 'plan', name: 'Plan', type: 'string' });
  const tag = async (person: string, value: string) =>
    expect((await org.rest(`PUT /v1/people/${person}/properties/plan`, { value })).status).toBe(200);
  const segment_id = await newSegment(org, [{ custom_property_key: 'plan', op: 'eq', value: 'pro' }]);
  return { tag, segment_id };
}

test('SND-006 SND-007 a segment is asked again at its time: who joined gets it, who left does not', async () => {
  const { world } = sending();
  const org = await newSendingOrg(world);
  const { tag, segment_id } = await newTagged(org);
  const [stays, leaves, joins, never] = [...(await newReaders(org, 4))];
  for (const [, person] of [stays!, leaves!]) await tag(person, 'pro');
  for (const [, person] of [joins!, never!]) await tag(person, 'free');
  const scheduled = await scheduleEmail(world, org, { audience: 'segment', segment_id });
  await tag(leaves![1], 'free');
  await tag(joins![1], 'pro');
  const [created] = [...(await newReaders(org, 1))];
  await tag(created![1], 'pro');
  expect(await sendAll(org, scheduled)).toEqual([stays![0], joins![0], created![0]].toSorted());
  expect(await outcomeOf(scheduled.id, leaves![1])).toBe('not in the ledger');
});

test('SND-007 who leaves a segment while it is being sent, before their turn, does not get it', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const { tag, segment_id } = await newTagged(org);
  const readers = await newReaders(org, 30);
  for (const person of readers.values()) await tag(person, 'pro');
  const scheduled = await scheduleEmail(world, org, { audience: 'segment', segment_id });
  await moveClock(org, scheduled.sendAt);
  await settled(world, org);
  const turns = await ledgerOf(world, scheduled.id);
  await moveClock(org, quietMoment(turns, scheduled.sendAt + hours / 2));
  await settled(world, org);
  const early = receiversOf(mail, scheduled.subject);
  expect(early.length).toBeGreaterThan(0);
  const late = [...readers].filter(([email]) => !early.includes(email));
  const leaving = late.slice(0, Math.ceil(late.length / 2));
  for (const [, person] of leaving) await tag(person, 'free');
  await moveClock(org, scheduled.sendAt + hours);
  expect((await ended(org, scheduled.id)).counts).toMatchObject({ recipients: 30, skipped: leaving.length });
  const got = receiversOf(mail, scheduled.subject);
  expect(got).toHaveLength(30 - leaving.length);
  for (const [email, person] of leaving) {
    expect(got).not.toContain(email);
    expect(await outcomeOf(scheduled.id, person)).toBe('left_audience');
  }
});

test('SND-006 SND-007 everyone is asked again at its time: newcomers, and addresses that came and went', async () => {
  const { world } = sending();
  const org = await newSendingOrg(world);
  const [stays, deleted, losesIt] = [...(await newReaders(org, 3))];
  const gainsIt = await org.person({ external_user_id: 'without an address' });
  const scheduled = await scheduleEmail(world, org);
  const [joins] = [...(await newReaders(org, 1))];
  expect((await org.rest(`DELETE /v1/people/${deleted![1]}`)).status).toBe(200);
  const { identifiers } = (await org.rest(`GET /v1/people/${losesIt![1]}/identifiers`)).body;
  const { status } = await org.rest(`DELETE /v1/people/${losesIt![1]}/identifiers/${identifiers[0].id}`);
  expect(status, 'remove_identifier').toBe(200);
  expect(await org.person({ external_user_id: 'without an address', email: 'gained@example.com' })).toBe(
    gainsIt,
  );
  expect(await sendAll(org, scheduled)).toEqual([stays![0], joins![0], 'gained@example.com'].toSorted());
});

test.each(['registered', 'attended', 'no_show'] as const)(
  'SND-006 SND-007 the %s of a webinar are asked again at its time',
  async (webinar_audience) => {
    const { world, mail } = sending();
    const org = await newSendingOrg(world);
    const [before, after, gone, changes] = [...(await newReaders(org, 4))];
    const webinar_id = await newWebinar(world, org);
    const attended = webinar_audience === 'attended';
    await register(world, org, webinar_id, before![1], { attended });
    await register(world, org, webinar_id, gone![1], { attended });
    await register(world, org, webinar_id, changes![1], { attended });
    const { id, subject, sendAt } = await scheduleEmail(world, org, {
      audience: 'webinar',
      webinar_id,
      webinar_audience,
    });
    await register(world, org, webinar_id, after![1], { attended });
    await world.admin.query('delete from registrations where person_id = $1', [gone![1]]);
    await world.admin.query('update registrations set attended = not attended where person_id = $1', [
      changes![1],
    ]);
    await moveClock(org, sendAt);
    await ended(org, id);
    const others = webinar_audience === 'registered' ? [changes![0]] : [];
    expect(receiversOf(mail, subject).toSorted()).toEqual([before![0], after![0], ...others].toSorted());
  },
);

test('SND-007 who leaves a webinar between two tries does not get the second', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const [stays, leaves] = [...(await newReaders(org, 2))];
  const webinar_id = await newWebinar(world, org);
  for (const [, person] of [stays!, leaves!]) await register(world, org, webinar_id, person);
  const { id, subject, sendAt } = await scheduleEmail(world, org, { audience: 'webinar', webinar_id });
  mail.refuse = () => ({ code: 451, text: '4.3.0 later' });
  await moveClock(org, sendAt);
  await expect
    .poll(() => mail.tries.filter(({ to }) => to === stays![0] || to === leaves![0]).length)
    .toBe(2);
  await settled(world, org);
  mail.refuse = () => undefined;
  await world.admin.query('delete from registrations where person_id = $1', [leaves![1]]);
  expect((await readBroadcast(org, id)).status).toBe('sending');
  await moveClock(org, sendAt + 6 * 60_000);
  expect((await ended(org, id)).status).toBe('sent');
  expect(receiversOf(mail, subject)).toEqual([stays![0]]);
  expect(await outcomeOf(id, leaves![1])).toBe('left_audience');
});
