import type { TestOrg } from './test-org.ts';
import type { World } from './world.ts';

const tables = [
  'deliveries',
  'delivery_queue',
  'delivery_lanes',
  'delivery_windows',
  'broadcasts',
  'broadcast_reasons',
  'broadcast_tallies',
  'allowance_uses',
];

/**
 * Takes a copy of what an organization has sent, as a dump would, and answers a way to put it back: a restore, or a
 * failover to a standby that had not heard of the rest.
 */
export async function dumpSending({ admin }: World, org: TestOrg): Promise<() => Promise<void>> {
  await admin.query('begin isolation level repeatable read');
  for (const table of tables) {
    await admin.query(`drop table if exists pg_temp.old_${table}`);
    await admin.query(
      `create temporary table old_${table} as select * from ${table} where org_id = '${org.id}'`,
    );
  }
  await admin.query('commit');
  return async () => {
    // Without triggers: the totals and the queue are put back as they were.
    await admin.query('begin; set local session_replication_role = replica');
    for (const table of tables) {
      const { rows } = await admin.query<{ columns: string }>(
        `select string_agg(quote_ident(attname), ',') as columns from pg_attribute
         where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
        [table],
      );
      const { columns } = rows[0]!;
      await admin.query(`delete from ${table} where org_id = $1`, [org.id]);
      await admin.query(`insert into ${table} (${columns}) select ${columns} from old_${table}`);
    }
    await admin.query('commit');
  };
}
