import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { sweep } from '../../../src/durable/sweep.ts';
import { newWebinar } from '../../support/broadcast.ts';
import { idle } from '../../support/idle.ts';
import { expectBalanced, ledgerOf, outcomesOf } from '../../support/ledger.ts';
import {
  advanceClock,
  ended,
  moveClock,
  readBroadcast,
  receiversOf,
  restartEngine,
  useSending,
  type Scheduled,
  scheduleEmail,
} from '../../support/sending.ts';
import { newReaders, newSendingOrg, registerAll } from '../../support/reader-rows.ts';
import type { TestOrg } from '../../support/test-org.ts';

const sending = useSending();
afterEach(() => {
  sending().mail.thinkMs = () => 0;
});

/** A message to a handler, as the relay or an engine that repeats itself would bring it. */
async function tellEngine(path: string, message: Readonly<Record<string, unknown>>): Promise<void> {
  const response = await fetch(`${sending().world.config.RESTATE_INGRESS_URL[0]}/${path}/send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message),
  });
  expect(response.status).toBe(202);
}

async function ring(org: TestOrg, { id }: Scheduled): Promise<void> {
  const alarms = ['2', '1', '3'].map((revision) => ({ org_id: org.id, broadcast_id: id, revision }));
  await Promise.all([...alarms, ...alarms].map((alarm) => tellEngine('BroadcastStart/begin', alarm)));
}

/** Every lane is told of, with every ticket it may have had. */
async function callLanes(org: TestOrg, { id }: Scheduled): Promise<void> {
  const lanes = [0, 1].map((lane) => ({ org_id: org.id, lane: `${id}/${lane}` }));
  const tickets = [{}, {}, { ticket: 1 }];
  await Promise.all(
    lanes.flatMap((lane) => tickets.map((ticket) => tellEngine('BroadcastRun/send', { ...lane, ...ticket }))),
  );
}

async function newWebinarBroadcast(count: number) {
  const { world } = sending();
  const org = await newSendingOrg(world);
  const readers = await newReaders(org, count);
  const webinar_id = await newWebinar(world, org);
  await registerAll(world, org, webinar_id, readers.values());
  const scheduled = await scheduleEmail(world, org, { audience: 'webinar', webinar_id });
  return { org, readers, scheduled };
}

/** Everybody is accounted for, and nobody got it twice. */
async function expectOnce({ id, subject }: Scheduled, readers: ReadonlyMap<string, string>): Promise<void> {
  const { world, mail } = sending();
  const rows = await ledgerOf(world, id);
  const got = receiversOf(mail, subject); // after the rows: what they call sent was taken by then
  expect(got).toHaveLength(new Set(got).size);
  expect(rows.map(({ person_id }) => String(person_id)).toSorted()).toEqual([...readers.values()].toSorted());
  const sent = rows.filter(({ state }) => state === 'sent').map(({ address }) => address);
  expect(sent.filter((address) => !got.includes(address!))).toEqual([]);
  await expectBalanced(world, id);
}

test('SND-001 alarms, lanes and sweeps too many send nothing twice', async () => {
  const { world, mail } = sending();
  const { org, readers, scheduled } = await newWebinarBroadcast(200);
  mail.thinkMs = () => 20;
  await moveClock(org, scheduled.sendAt);
  const isOver = ended(org, scheduled.id, 180_000); // all of this takes its time as well
  let over = false;
  void isOver.catch(() => undefined).finally(() => (over = true));
  while (!over) {
    await ring(org, scheduled);
    await callLanes(org, scheduled);
    await sweep(world.database, new Date(), 0);
    await advanceClock(org, 0.001);
    await pause(50);
  }
  expect((await isOver).status).toBe('sent');
  // A step that was done twice may have given up what the other still has in hand, until that one is answered.
  await expect.poll(() => outcomesOf(world, scheduled.id)).toEqual({ sent: 200 });
  await expectOnce(scheduled, readers);
  // When it is over nothing begins it again.
  await ring(org, scheduled);
  await callLanes(org, scheduled);
  await sweep(world.database, new Date(Date.now() + 86_400_000), 0);
  await advanceClock(org, 86_400);
  await idle(world);
  expect(receiversOf(mail, scheduled.subject)).toHaveLength(200);
}, 240_000);

test.each([
  ['killed and started again', { empty: false }],
  ['lost with everything it knew', { empty: true }],
])('SND-001 an engine that is %s in the middle sends nothing twice and leaves nobody out', async (_, how) => {
  const { world, mail } = sending();
  const { org, readers, scheduled } = await newWebinarBroadcast(200);
  // The lanes go on without the engine: the second half waits, so that it starts in the middle however slowly.
  let isBack = false;
  mail.thinkMs = () => (isBack ? 0 : receiversOf(mail, scheduled.subject).length < 60 ? 40 : 1_000);
  await moveClock(org, scheduled.sendAt);
  await expect
    .poll(() => receiversOf(mail, scheduled.subject).length, { timeout: 60_000 })
    .toBeGreaterThan(60);
  await restartEngine(world, how);
  expect(receiversOf(mail, scheduled.subject).length).toBeLessThan(200);
  isBack = true;
  // A lane is looked after a minute after it was last heard of.
  await advanceClock(org, 61);
  const swept = async () => {
    await sweep(world.database, new Date(), 0);
    return (await readBroadcast(org, scheduled.id)).status;
  };
  await expect.poll(swept, { timeout: 60_000, interval: 300 }).toBe('sent');
  await expectOnce(scheduled, readers);
  const { sent = 0, 'uncertain interrupted': uncertain = 0 } = await outcomesOf(world, scheduled.id);
  expect(sent + uncertain).toBe(200);
  expect(uncertain).toBeLessThanOrEqual(2 * 64);
});
