import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { requireBroadcast } from '../../../src/domain/broadcasts/draft/broadcast-rows.ts';
import { checkWindow } from '../../../src/domain/broadcasts/sending/check-window.ts';
import { readRun } from '../../../src/domain/broadcasts/sending/run.ts';
import { claimWindow } from '../../../src/domain/delivery/ledger/ledger.ts';
import type { BroadcastId } from '../../../src/kernel/ids.ts';
import { inService } from '../../support/in-service.ts';
import { ledgerOf } from '../../support/ledger.ts';
import { ended, moveClock, receiversOf, settled, useSending, scheduleEmail } from '../../support/sending.ts';
import { newReaders, newSendingOrg } from '../../support/reader-rows.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { idle } from '../../support/idle.ts';
import { always } from '../../support/providers.ts';

const sending = useSending();
const minute = 60_000;
const hours = 180 * minute;

/** Somebody else at work in the database. */
let other: pg.Client;
beforeAll(async () => {
  other = new pg.Client({ connectionString: sending().world.databaseUrl });
  await other.connect();
});
afterAll(() => other.end());
afterEach(() => {
  sending().mail.thinkMs = () => 0;
});

/** One becomes the other, who keeps both addresses and is written to at their own. */
const merge = async (org: TestOrg, email: string, external_user_id: string) =>
  expect((await org.rest('POST /v1/people/identify', { external_user_id, email })).status).toBe(200);

/** A list that has begun, with everybody's turn so many minutes after its time. */
async function newBegun(turns: readonly number[]) {
  const { world } = sending();
  const org = await newSendingOrg(world);
  const readers = [
    ...(await newReaders(org, turns.length, (index) => ({ external_user_id: `user ${index}` }))),
  ];
  const scheduled = await scheduleEmail(world, org);
  await moveClock(org, scheduled.sendAt);
  await settled(world, org);
  for (const [index, turn] of turns.entries()) {
    const due = new Date(scheduled.sendAt + turn * minute);
    await world.admin.query('update deliveries set due_at = $3 where broadcast_id = $1 and person_id = $2', [
      scheduled.id,
      readers[index]![1],
      due,
    ]);
  }
  const first = new Date(scheduled.sendAt + Math.min(...turns) * minute);
  await world.admin.query('update delivery_lanes set next_at = $2 where broadcast_id = $1', [
    scheduled.id,
    first,
  ]);
  return { org, readers, ...scheduled };
}

test.each([
  ['got it before', 10],
  ['is being handed it', 20],
])(
  'SND-001 two who become one while one is being looked at and the other %s get it once',
  async (_, turn) => {
    const { world, mail } = sending();
    const { org, readers, id, subject, sendAt } = await newBegun([turn, 20, 20]);
    const [had = '', looked = '', busy = ''] = readers.map(([email]) => email);
    const isTaken = (email: string) => () => receiversOf(mail, subject).includes(email);
    await moveClock(org, sendAt + 11 * minute);
    await settled(world, org);
    expect(isTaken(had)()).toBe(turn === 10);
    // Somebody holds the second when its turn comes: it is put aside, and its row is in hand until the window is over.
    await other.query('begin');
    await other.query('select 1 from people where id = $1 for update', [readers[1]![1]]);
    mail.thinkMs = (to) => (to === busy ? 2_000 : 0);
    await moveClock(org, sendAt + 21 * minute);
    await expect.poll(() => mail.tries.some(({ to }) => to === busy), { timeout: 60_000 }).toBe(true);
    await expect.poll(isTaken(had), { timeout: 60_000 }).toBe(true);
    await other.query('rollback');
    await merge(org, had, 'user 1');
    await idle(world); // who was put aside is looked at again after a second
    await moveClock(org, sendAt + hours);
    await ended(org, id);
    expect(receiversOf(mail, subject).toSorted()).toEqual([had, busy].toSorted());
    expect(receiversOf(mail, subject)).not.toContain(looked);
  },
);

test('two who become one just after one was claimed are not left out for being gone', async () => {
  const { world } = sending();
  const { org, readers, id, sendAt } = await newBegun([10, 60]);
  await world.admin.query(`update delivery_lanes set next_at = next_at + interval '1 year'`); // nobody else does it
  await moveClock(org, sendAt + 11 * minute);
  const claim = '01900000-0000-7000-8000-000000000000';
  const claimed = await inService(world, org, (work) =>
    claimWindow(work, { broadcast: id, lane: 0, claim, size: 16 }),
  );
  expect(claimed).toHaveLength(1);
  await merge(org, readers[0]![0], 'user 1');
  const checked = await inService(world, org, async (work) => {
    const read = await readRun(work, await requireBroadcast(work, id as BroadcastId), always());
    if ('problem' in read) throw new Error(read.problem);
    return checkWindow(work, read.run, claimed!);
  });
  const waiting = (await ledgerOf(world, id)).filter(({ state }) => state === 'pending');
  const { go, aside } = checked!;
  const left = aside.filter(({ state }) => state === 'skipped');
  // The one that was claimed goes to who survived, now or when it is looked at again; or the survivor's own is to come.
  const coming = waiting.length + go.length + aside.filter(({ state }) => state === 'pending').length;
  expect({ left, coming }).toEqual({ left: [], coming: 1 });
});
