import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { orgTransaction } from '../../src/database/org-transaction.ts';
import type { Database } from '../../src/database/pool.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const over = 'the transaction of this query is over';

test('a query that outlives its transaction is refused: its connection may be in another organization by then', async () => {
  const org = await world().newOrg();
  const ended = await orgTransaction(world().database, org.id, 'read', async (db) => [db]);
  expect(await answersOf(ended[0]!)).toEqual([over, over]);
});

test('so is one that outlives a transaction that failed', async () => {
  const org = await world().newOrg();
  let ended: Database | undefined;
  const failed = orgTransaction(world().database, org.id, 'read', async (db) => {
    ended = db;
    await sql`select 1 / 0`.execute(db);
  });
  await expect(failed).rejects.toThrow('division by zero');
  expect(await answersOf(ended!)).toEqual([over, over]);
});

async function answersOf(db: Database): Promise<unknown[]> {
  const queries = [db.selectFrom('people').select('id').execute(), sql`select 1`.execute(db)];
  return (await Promise.allSettled(queries)).map((one) =>
    one.status === 'rejected' ? (one.reason as Error).message : 'answered',
  );
}
