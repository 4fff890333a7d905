import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Work } from '../../src/database/work.ts';
import { requireBroadcast } from '../../src/domain/broadcasts/broadcast-rows.ts';
import { checkWindow } from '../../src/domain/broadcasts/check-window.ts';
import { readRun } from '../../src/domain/broadcasts/run.ts';
import { claimWindow } from '../../src/domain/delivery/ledger.ts';
import { asService } from '../../src/domain/orgs/as-service.ts';
import type { BroadcastId } from '../../src/kernel/ids.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { ledgerOf } from '../support/ledger.ts';
import {
  aWhile,
  ended,
  moveClock,
  newReaders,
  newSendingOrg,
  receiversOf,
  scheduleEmail,
  settled,
  useSending,
} from '../support/sending.ts';
import { newSegment } from '../support/segment.ts';
import type { TestOrg } from '../support/test-org.ts';

const sending = useSending();
const minute = 60_000;
const hours = 180 * minute;

/** Somebody else at work in the database. */
let other: pg.Client;
beforeAll(async () => {
  other = new pg.Client({ connectionString: sending().world.databaseUrl });
  await other.connect();
  await other.query('set session_replication_role = replica'); // what it writes holds nothing that it refers to
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
    if (turn === 10) {
      await moveClock(org, sendAt + 11 * minute);
      await expect.poll(isTaken(had), { timeout: 15_000 }).toBe(true);
      await settled(world, org);
    }
    // Somebody holds the second when its turn comes: it is put aside, and its row is in hand until the window is over.
    await other.query('begin');
    await other.query('select 1 from people where id = $1 for update', [readers[1]![1]]);
    mail.thinkMs = (to) => (to === busy ? 2_000 : 0);
    await moveClock(org, sendAt + 21 * minute);
    await expect.poll(() => mail.tries.some(({ to }) => to === busy), { timeout: 15_000 }).toBe(true);
    await expect.poll(isTaken(had), { timeout: 15_000 }).toBe(true);
    await other.query('rollback');
    await merge(org, had, 'user 1');
    await aWhile(); // who was put aside is looked at again after a second
    await settled(world, org);
    await moveClock(org, sendAt + hours);
    await ended(org, id);
    expect(receiversOf(mail, subject).toSorted()).toEqual([had, busy].toSorted());
    expect(receiversOf(mail, subject)).not.toContain(looked);
  },
);

/** What the service does when nobody calls it. */
const inService = <T>(org: TestOrg, handle: (work: Work) => Promise<T>) => {
  const { database, config } = sending().world;
  const parts = { keys: keyring(config), mail: mailSettings(config) };
  return asService(
    database,
    parts,
    { org: org.id, now: new Date(), actor: 'a test', requestId: 'none' },
    handle,
  );
};

test('two who become one just after one was claimed are not left out for being gone', async () => {
  const { world } = sending();
  const { org, readers, id, sendAt } = await newBegun([10, 60]);
  await world.admin.query(`update delivery_lanes set next_at = next_at + interval '1 year'`); // nobody else does it
  await moveClock(org, sendAt + 11 * minute);
  const claim = '01900000-0000-7000-8000-000000000000';
  const claimed = await inService(org, (work) =>
    claimWindow(work, { broadcast: id, lane: 0, claim, size: 16 }),
  );
  expect(claimed).toHaveLength(1);
  await merge(org, readers[0]![0], 'user 1');
  const checked = await inService(org, async (work) => {
    const read = await readRun(work, await requireBroadcast(work, id as BroadcastId), {
      email: undefined,
      text: undefined,
    });
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

test.each(['deleted', 'merged'] as const)(
  'who is %s while the audience is being read leaves no dead id in the ledger',
  async (how) => {
    const { world, mail } = sending();
    const org = await newSendingOrg(world);
    const [first, second] = [
      ...(await newReaders(org, 2, (index) => ({ external_user_id: `user ${index}` }))),
    ];
    const segment_id = await newSegment(org, [{ property: 'first_name', op: 'eq', value: 'Ada' }]);
    await org.person({ email: first![0], first_name: 'Ada' });
    const { id, subject, sendAt } = await scheduleEmail(world, org, { audience: 'segment', segment_id });
    // Whoever reads the audience opens a second lane after that, and waits for us there.
    await other.query('begin');
    await other.query(
      'insert into delivery_lanes (org_id, broadcast_id, lane, next_at) values ($1, $2, 1, now())',
      [org.id, id],
    );
    await moveClock(org, sendAt);
    const waits = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ilike '%delivery_lanes%'
      and datname = current_database()`;
    await expect.poll(async () => (await world.admin.query(waits)).rowCount, { timeout: 15_000 }).toBe(1);
    const going =
      how === 'merged' ? merge(org, first![0], 'user 1') : org.rest(`DELETE /v1/people/${first![1]}`);
    await Promise.race([going, aWhile()]); // it may wait for the reader, or not
    await other.query('rollback');
    await going;
    await moveClock(org, sendAt + hours);
    await ended(org, id);
    const rows = await ledgerOf(world, id);
    const { rows: dead } = await world.admin.query(
      `select d.person_id from deliveries d where d.broadcast_id = $1 and d.person_id is not null
         and not exists (select 1 from people p where p.org_id = d.org_id and p.id = d.person_id)`,
      [id],
    );
    expect({ dead, rows: rows.length }).toEqual({ dead: [], rows: 1 });
    // Who was merged is the other now, who has taken over the name the segment asks about.
    expect(receiversOf(mail, subject)).toEqual(how === 'merged' ? [second![0]] : []);
  },
);
