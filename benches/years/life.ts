import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import { orgTransaction } from '../../src/database/org-transaction.ts';
import type { Database } from '../../src/database/pool.ts';
import type { Work } from '../../src/database/work.ts';
import { claimWindow, firstInHand } from '../../src/domain/delivery/ledger/ledger.ts';
import { settleWindow } from '../../src/domain/delivery/ledger/settle.ts';
import type { OrgId } from '../../src/kernel/ids.ts';
import type { Watched } from './watch.ts';

const window = 64;
/** A window is under way for about as long; in that time everybody's older snapshots end, and pages can be pruned. */
const handOverMs = 40;
const partOfAudience = 20_000;

/** A broadcast of this month with so many recipients who wait, as preparing leaves it. */
export async function newBroadcast(client: pg.Client, org: OrgId, recipients: number): Promise<string> {
  const id = randomUUID();
  await client.query(
    `insert into broadcasts (org_id, id, status, channel, audience, subject, created_by, send_at, started_at,
       prepared_at, created_at, updated_at)
     values ($1, $2, 'sending', 'email', 'everyone', 'News', '{}', now(), now(), now(), now(), now())`,
    [org, id],
  );
  await client.query(
    `insert into delivery_lanes (org_id, broadcast_id, lane, next_at) select $1, $2, n, now() from generate_series(0, 1) n`,
    [org, id],
  );
  for (let done = 0; done < recipients; done += partOfAudience) {
    await client.query(
      `insert into deliveries (org_id, broadcast_id, person_id, state, due_at)
       select $1, $2, gen_random_uuid(), 'pending', now() from generate_series(1, $3::int)`,
      [org, id, Math.min(partOfAudience, recipients - done)],
    );
  }
  await client.query('analyze deliveries; analyze delivery_queue');
  return id;
}

const workIn = (db: Database, org: OrgId): Work => ({ db, org, now: new Date() }) as Work; // what the ledger needs of it

/** Claims the next window as a lane does, without what is beside the ledger. */
export const claim = (database: Database, org: OrgId, broadcast: string, lane: number, claimed: string) =>
  orgTransaction(database, org, 'write', async (db) => {
    const work = workIn(db, org);
    const rows = await claimWindow(work, {
      broadcast,
      lane,
      claim: claimed,
      size: window,
      month: work.now,
    });
    const place = await firstInHand(work, broadcast, lane);
    if (place !== undefined) {
      await sql`update delivery_lanes set from_due = ${place.from_due}::timestamptz, from_id = ${place.from_id}
        where org_id = ${org} and broadcast_id = ${broadcast} and lane = ${lane}`.execute(db);
    }
    return rows;
  });

/** Claims and settles everybody in two lanes; of each window a quarter opens it and a twentieth follows a link. */
export async function sendAll(database: Database, org: OrgId, broadcast: string): Promise<void> {
  const lane = async (number: number): Promise<void> => {
    for (;;) {
      const claimed = randomUUID();
      const rows = await claim(database, org, broadcast, number, claimed);
      if (rows.length === 0) return;
      await pause(handOverMs);
      await orgTransaction(database, org, 'write', async (db) => {
        const settled = rows.map(({ id }) => ({
          id,
          state: 'sent' as const,
          address: `person-${id % 1_000_000}@example.com`,
          reply: `250 2.0.0 Ok: queued as ${claimed.slice(0, 10).toUpperCase()}`,
          sent_at: new Date(),
        }));
        await settleWindow(workIn(db, org), claimed, settled);
      });
      await pause(handOverMs);
      const some = (of: number) => rows.filter((_, n) => n % of === 1).map(({ id }) => id);
      await orgTransaction(database, org, 'write', async (db) => {
        for (const [column, ids] of [
          ['opened_at', some(4)],
          ['clicked_at', some(20)],
        ] as const) {
          await sql`update deliveries set ${sql.ref(column)} = now()
            where org_id = ${org} and id = any(${ids}::bigint[])`.execute(db);
        }
      });
    }
  };
  await Promise.all([lane(0), lane(1)]);
}

/** Bytes a message in this month's part of the ledger, after vacuum: [with its indexes, without]. */
export async function bytesAMessage({ admin }: Pick<Watched, 'admin'>): Promise<[number, number]> {
  const part = `deliveries_${new Date().toISOString().slice(0, 7).replace('-', '_')}`;
  await admin.query(`vacuum analyze ${part}`);
  const { rows } = await admin.query<{ whole: number; heap: number }>(
    `select pg_total_relation_size($1::regclass)::float8 / n as whole, pg_relation_size($1::regclass)::float8 / n as heap
     from (select count(*) as n from ${part}) c`,
    [part],
  );
  return [rows[0]!.whole, rows[0]!.heap];
}
