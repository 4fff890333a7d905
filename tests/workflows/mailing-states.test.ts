import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import type { Mailing } from '../../src/domain/broadcasts/sending/mailing.ts';
import { inHours, newWebinar, setVerified, setWebinar } from '../support/broadcast.ts';
import { idle } from '../support/idle.ts';
import { expectBalanced, ledgerOf, outcomesOf } from '../support/ledger.ts';
import { advanceClock, clockOf, moveClock, receiversOf, settled, useSending } from '../support/sending.ts';
import { newReaders, newSendingOrg } from '../support/reader-rows.ts';
import type { TestOrg } from '../support/test-org.ts';
import { add, newMailing, over, rowOf } from './mailing-setting.ts';

const sending = useSending();
const minute = 60_000;
const hour = 60 * minute;
const soon = { timeout: 60_000 };
afterEach(() => {
  sending().mail.refuse = () => undefined;
  sending().mail.hold = () => undefined;
});

test('who may not be written to is left out with the reason, whatever the workflow says', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const readers = [...(await newReaders(org, 3))];
  const [, optedOut] = readers[0]!;
  await org.rest(`PATCH /v1/people/${optedOut}/opt-outs`, { email_opt_out: true });
  const textOnly = await org.person({ phone: '+15550100' });
  const mailing = await newMailing(world, org);
  await add(world, org, mailing, [...readers.map(([, person]) => person), textOnly]);
  const { id } = await over(world, mailing);
  expect(await outcomesOf(world, id)).toEqual({ sent: 2, 'skipped opted_out': 1, 'skipped no_address': 1 });
  expect(receiversOf(mail, mailing.message.subject!).toSorted()).toEqual(
    readers
      .slice(1)
      .map(([email]) => email)
      .toSorted(),
  );
  await expectBalanced(world, id);
});

test('who opts out between being added and their turn gets nothing', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const readers = await newReaders(org, 70);
  const mailing = await newMailing(world, org);
  const everybodyElseIsOut = Promise.withResolvers<void>();
  mail.hold = () => everybodyElseIsOut.promise;
  await add(world, org, mailing, readers.values());
  const { id } = await rowOf(world, mailing);
  // One lane, whose window is full: six are still to come.
  await expect.poll(() => outcomesOf(world, id), soon).toEqual({ sending: 64, pending: 6 });
  const waiting = (await ledgerOf(world, id)).filter(({ state }) => state === 'pending');
  for (const { person_id } of waiting)
    await org.rest(`PATCH /v1/people/${person_id}/opt-outs`, { email_opt_out: true });
  everybodyElseIsOut.resolve();
  await over(world, mailing);
  const said = (await ledgerOf(world, id)).filter(({ reason }) => reason === 'opted_out');
  expect(said.map((row) => row.id)).toEqual(waiting.map((row) => row.id));
  expect(receiversOf(mail, mailing.message.subject!)).toHaveLength(64);
});

test('when its webinar is canceled whoever is waiting is left out, and whoever is added later; another webinar goes on', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const readers = [...(await newReaders(org, 4))].map(([, person]) => person);
  const webinar_id = await newWebinar(world, org);
  const mailing = await newMailing(world, org, { webinar_id });
  mail.refuse = () => ({ code: 451, text: '4.3.0 come back later' });
  await add(world, org, mailing, readers.slice(0, 2));
  const { id } = await rowOf(world, mailing);
  await expect
    .poll(async () => (await ledgerOf(world, id)).map(({ history }) => history.length), soon)
    .toEqual([1, 1]);
  await setWebinar(world, webinar_id, { status: 'canceled' });
  mail.refuse = () => undefined;
  await add(world, org, mailing, [readers[2]!]);
  await over(world, mailing);
  expect(await outcomesOf(world, id)).toEqual({ 'skipped stopped': 3 });
  await add(world, org, mailing, [readers[3]!]);
  await over(world, mailing);
  expect(await outcomesOf(world, id)).toEqual({ 'skipped stopped': 4 });
  expect(receiversOf(mail, mailing.message.subject!)).toEqual([]);
  await expectBalanced(world, id);
  await add(world, org, { ...mailing, webinar_id: await newWebinar(world, org) }, readers);
  await expect.poll(() => receiversOf(mail, mailing.message.subject!).length, soon).toBe(4);
});

test('a webinar that is canceled in the middle of a step stops it at the next window', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const readers = await newReaders(org, 300);
  const webinar_id = await newWebinar(world, org);
  const mailing = await newMailing(world, org, { webinar_id });
  const got = () => receiversOf(mail, mailing.message.subject!).length;
  // One gets it, and the others of that window once the webinar is canceled.
  const isCanceled = Promise.withResolvers<void>();
  let first: string | undefined;
  mail.hold = (to) => ((first ??= to) === to ? undefined : isCanceled.promise);
  await add(world, org, mailing, readers.values());
  await expect.poll(got, soon).toBe(1);
  const { id } = await rowOf(world, mailing);
  await setWebinar(world, webinar_id, { status: 'canceled' });
  isCanceled.resolve();
  await over(world, mailing);
  const { sent = 0, 'skipped stopped': stopped = 0 } = await outcomesOf(world, id);
  expect([sent, sent + stopped]).toEqual([got(), 300]);
  expect(stopped).toBeGreaterThan(0);
  await expectBalanced(world, id);
});

test('what is lacking is said, nobody is lost over it, and everything goes out when it is mended', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const readers = await newReaders(org, 3);
  const mailing = await newMailing(world, org);
  const sender = mailing.message.sender_id!;
  await setVerified(world, sender, false);
  await add(world, org, mailing, readers.values());
  await isBlocked(org, mailing);
  expect((await rowOf(world, mailing)).error).toMatch(/is not verified/);
  // Whoever is added meanwhile does not make it try, nor does time before the ten minutes are over.
  const [[email, person]] = [...(await newReaders(org, 1))] as [[string, string]];
  const { rows: before } = await lanesOf(await rowOf(world, mailing));
  await add(world, org, mailing, [person]);
  await idle(world);
  expect((await lanesOf(await rowOf(world, mailing))).rows).toEqual(before);
  expect(await outcomesOf(world, (await rowOf(world, mailing)).id)).toEqual({ pending: 4 });
  await setVerified(world, sender, true);
  await advanceClock(org, 601);
  expect(await over(world, mailing)).toMatchObject({ error: null, sent: 4 });
  expect(receiversOf(mail, mailing.message.subject!).toSorted()).toEqual(
    [...readers.keys(), email].toSorted(),
  );
});

const lanesOf = ({ id }: { id: string }) =>
  sending().world.admin.query<{ lane: number; ticket: string; next_at: Date }>(
    'select lane, ticket, next_at from delivery_lanes where broadcast_id = $1 order by lane',
    [id],
  );

/** Waits until it was said what is lacking, and the lane has put itself off for ten minutes: that is written after it. */
async function isBlocked(org: TestOrg, mailing: Mailing): Promise<void> {
  const row = () => rowOf(sending().world, mailing);
  await expect.poll(async () => (await row()).error, soon).not.toBeNull();
  const putOff = async () => {
    const { rows } = await lanesOf(await row());
    const now = await clockOf(org);
    return rows.every(({ next_at }) => next_at.getTime() > now + 5 * minute);
  };
  await expect.poll(putOff, soon).toBe(true);
}

test.each([
  ['a day after they were added', undefined, 25 * hour, 2],
  ['when the webinar they were added before has begun', 3, 4 * hour, 1],
] as const)(
  'what was lacking too long: whoever waited is left out %s, whoever came later is not',
  async (_, startsInHours, later, left) => {
    const { world, mail } = sending();
    const org = await newSendingOrg(world);
    const readers = [...(await newReaders(org, left + 1))];
    const webinar_id =
      startsInHours === undefined
        ? null
        : await newWebinar(world, org, { start_time: inHours(startsInHours) });
    const mailing = await newMailing(world, org, { webinar_id });
    await setVerified(world, mailing.message.sender_id!, false);
    const early = readers.slice(0, left).map(([, person]) => person);
    await add(world, org, mailing, early);
    await isBlocked(org, mailing);
    const { id } = await rowOf(world, mailing);
    await moveClock(org, (await clockOf(org)) + later);
    await expect.poll(() => outcomesOf(world, id), soon).toEqual({ 'skipped stopped': left });
    // Nobody is left: the next to come is tried at once, and finds it mended.
    await over(world, mailing);
    await setVerified(world, mailing.message.sender_id!, true);
    const [email, person] = readers[left]!;
    await add(world, org, mailing, [person]);
    expect(await over(world, mailing)).toMatchObject({ error: null });
    expect(receiversOf(mail, mailing.message.subject!)).toEqual([email]);
    await expectBalanced(world, id);
  },
);

test('a sender that is gone since the workflow was published keeps nothing from being added', async () => {
  const { world } = sending();
  const org = await newSendingOrg(world);
  const readers = await newReaders(org, 2);
  const mailing = await newMailing(world, org, { sender_id: randomUUID() });
  await add(world, org, mailing, readers.values());
  await expect.poll(async () => (await rowOf(world, mailing)).error, soon).toMatch(/Choose a sender/);
  expect(await outcomesOf(world, (await rowOf(world, mailing)).id)).toEqual({ pending: 2 });
});

test.each([
  ['its webinar begins, whenever the mailing itself began', 40 * hour, 12 * minute],
  ['a day after it was added, though the mailing is older', 0, 24 * hour],
])('what a mail server puts off again and again is given up when %s', async (_, age, givesUpAfter) => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const [first, second] = [...(await newReaders(org, 2))].map(([, person]) => person) as [string, string];
  const start_time = new Date(Date.now() + age + givesUpAfter).toISOString();
  const webinar_id = age === 0 ? null : await newWebinar(world, org, { start_time });
  const mailing = await newMailing(world, org, { webinar_id });
  await add(world, org, mailing, [first]);
  await over(world, mailing);
  await moveClock(org, Date.now() + (age === 0 ? 30 * hour : age));
  mail.refuse = () => ({ code: 452, text: '4.2.2 mailbox full' });
  const addedAt = await clockOf(org);
  await add(world, org, mailing, [second]);
  const { id } = await rowOf(world, mailing);
  const row = async () => (await ledgerOf(world, id))[1]!;
  await expect.poll(async () => (await row()).attempts, soon).toBe(1);
  await settled(world, org);
  for (let { state } = await row(); state === 'pending'; { state } = await row()) {
    const { due_at, attempts } = await row();
    expect(due_at.getTime()).toBeLessThan(addedAt + givesUpAfter + minute);
    await moveClock(org, due_at.getTime() + 1);
    await expect.poll(async () => (await row()).attempts, soon).toBe(attempts + 1);
    await settled(world, org);
  }
  expect(await outcomesOf(world, id)).toEqual({ sent: 1, 'failed gave_up': 1 });
  const { attempts, history } = await row();
  const last = Date.parse(history.at(-1).at);
  expect(last + 5 * minute * 1.3 ** (attempts - 1)).toBeGreaterThanOrEqual(addedAt + givesUpAfter - minute);
  expect((await over(world, mailing)).sent).toBe(1);
});
