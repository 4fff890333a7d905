import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ledgerOf } from '../../support/ledger.ts';
import { lockWaits } from '../../support/lock-waits.ts';
import { ended, moveClock, receiversOf, useSending, scheduleEmail } from '../../support/sending.ts';
import { newReaders, newSendingOrg } from '../../support/reader-rows.ts';
import { newSegment } from '../../support/segment.ts';

const sending = useSending();
const hours = 3 * 3_600_000;

/** Somebody else at work in the database, who holds nothing that their rows refer to. */
let other: pg.Client;
beforeAll(async () => {
  other = new pg.Client({ connectionString: sending().world.databaseUrl });
  await other.connect();
  await other.query('set session_replication_role = replica');
});
afterAll(() => other.end());

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
    await expect
      .poll(async () => (await world.admin.query(waits)).rowCount, { timeout: 60_000 })
      .toBeGreaterThan(0);
    const going =
      how === 'merged'
        ? org.rest('POST /v1/people/identify', { external_user_id: 'user 1', email: first![0] })
        : org.rest(`DELETE /v1/people/${first![1]}`);
    let isOver = false;
    void going.then(() => (isOver = true));
    // It may wait for the reader, who waits for us; or not.
    const isDecided = async () => isOver || (await lockWaits(world.admin)) > 1;
    await expect.poll(isDecided, { timeout: 60_000 }).toBe(true);
    await other.query('rollback');
    expect((await going).status).toBe(200);
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
