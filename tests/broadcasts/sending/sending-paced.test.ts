import { expect, test } from 'vitest';
import { expectBalanced, ledgerOf } from '../../support/ledger.ts';
import {
  clockOf,
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
import { idle } from '../../support/idle.ts';
import { isLong } from '../../support/volume.ts';

const sending = useSending();
const minute = 60_000;
const steps = isLong ? 12 : 6;
const hours = 3 * 60 * minute;

test('SND-004 a list goes out over three hours from its time: none before, everybody in turn, the last in time', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const readers = await newReaders(org, 240);
  const { id, subject, sendAt } = await scheduleEmail(world, org);
  await moveClock(org, sendAt - minute);
  await idle(world);
  expect([(await readBroadcast(org, id)).status, receiversOf(mail, subject)]).toEqual(['scheduled', []]);

  const stepsWithMail = new Set<number>();
  for (let step = 0; step <= steps; step++) {
    const before = receiversOf(mail, subject).length;
    await moveClock(org, sendAt + (step * hours) / steps);
    await settled(world, org);
    const rows = await ledgerOf(world, id);
    const got = receiversOf(mail, subject);
    // Whoever's turn has come has it, nobody else: the clock runs on while this is asked.
    const now = await clockOf(org);
    const dueAt = (moment: number) => rows.filter(({ due_at }) => due_at.getTime() <= moment).length;
    expect(got.length).toBeGreaterThanOrEqual(dueAt(sendAt + (step * hours) / steps));
    expect(got.length).toBeLessThanOrEqual(dueAt(now));
    if (got.length > before) stepsWithMail.add(step);
  }
  expect(stepsWithMail.size).toBeGreaterThanOrEqual(steps);
  expect(await ended(org, id)).toMatchObject({ status: 'sent', counts: { recipients: 240, sent: 240 } });
  expect(receiversOf(mail, subject).toSorted()).toEqual([...readers.keys()].toSorted());
  const rows = await ledgerOf(world, id);
  const sentAt = rows.map(({ sent_at }) => sent_at!.getTime() - sendAt);
  expect(Math.min(...sentAt)).toBeGreaterThanOrEqual(0);
  expect(rows.every(({ sent_at, due_at }) => sent_at! >= due_at)).toBe(true);
  // The last turn leaves time to be sent in.
  const turns = rows.map(({ due_at }) => due_at.getTime() - sendAt);
  expect(Math.max(...turns)).toBeLessThan(hours - minute);
  expect(unevenness(turns)).toBeLessThan(45);
  await expectBalanced(world, id);
});

/** Chi-square over twelve equal parts of the time: above 45 once in two hundred thousand times by chance. */
function unevenness(turns: readonly number[]): number {
  const parts = Array.from({ length: 12 }, () => 0);
  for (const turn of turns) parts[Math.floor((12 * turn) / (hours - 5 * minute))]! += 1;
  const expected = turns.length / parts.length;
  return parts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

test('SND-004 a person has the same place in every list, whoever else is in it', async () => {
  const { world } = sending();
  const org = await newSendingOrg(world);
  await newReaders(org, 60, (index) => ({ first_name: index % 2 === 0 ? 'Ada' : 'Bob' }));
  const segment_id = await newSegment(org, [{ property: 'first_name', op: 'eq', value: 'Ada' }]);
  const everyone = await scheduleEmail(world, org, {}, 90);
  const some = await scheduleEmail(world, org, { audience: 'segment', segment_id }, 1_500);
  await moveClock(org, everyone.sendAt + hours);
  await moveClock(org, some.sendAt + hours);
  await ended(org, everyone.id);
  await ended(org, some.id);
  const placesIn = async ({ id, sendAt }: typeof some) =>
    new Map((await ledgerOf(world, id)).map((row) => [row.person_id, row.due_at.getTime() - sendAt]));
  const [all, half] = [await placesIn(everyone), await placesIn(some)];
  expect([all.size, half.size]).toEqual([60, 30]);
  for (const [person, place] of half) expect(place).toBe(all.get(person));
});
