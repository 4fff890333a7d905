import type pg from 'pg';
import { patiently } from './migrate-patiently.ts';

export const isIndex = (name: string): boolean => name.endsWith('.index.sql');

const create = /^create (unique )?index concurrently (\w+)\s+on (\w+)\s+([^;]*);?$/i;

/** Both halves of the one statement that the file of an index holds. */
export function readIndex(text: string) {
  const statement = text.replaceAll(/--.*$/gm, '').trim().replaceAll(/\s+/g, ' ');
  const [, unique = '', index, table, columns] = create.exec(statement) ?? [];
  if (index === undefined || table === undefined || columns === undefined)
    throw new Error('an .index.sql holds one statement, create [unique] index concurrently name on table …');
  return { unique: unique.toLowerCase(), index, table, columns };
}

/** Builds an index without keeping anybody from writing; of a partitioned table partition by partition. */
export async function buildIndex(client: pg.Client, text: string): Promise<void> {
  const { unique, index, table, columns } = readIndex(text);
  await client.query("set role rostrum_owner; set lock_timeout = 0; set statement_timeout = '12h'");
  const partitions = await partitionsOf(client, table);
  if (partitions.length === 0) {
    await concurrently(client, unique, index, `${table} ${columns}`);
  } else {
    // The index of the whole becomes valid when that of every partition is attached. Later months bring their own.
    await patiently(client, async () => {
      await client.query(`create ${unique}index if not exists ${index} on only ${table} ${columns}`);
    });
    for (const partition of await partitionsOf(client, table)) {
      if (await hasPart(client, index, partition)) continue;
      const part = `${partition}_${index}`.slice(0, 63);
      await concurrently(client, unique, part, `${partition} ${columns}`);
      await patiently(client, async () => {
        await client.query(`alter index ${index} attach partition ${part}`);
      });
    }
  }
  await client.query('reset role; reset lock_timeout; reset statement_timeout');
}

/** A build that was interrupted leaves an index that is never used: it is dropped and built anew. */
async function concurrently(client: pg.Client, unique: string, index: string, on: string): Promise<void> {
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [index],
  );
  if (rows[0]?.valid === true) return;
  if (rows[0] !== undefined) await client.query(`drop index concurrently ${index}`);
  await client.query(`create ${unique}index concurrently ${index} on ${on}`);
}

async function partitionsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relid::regclass::text as name from pg_partition_tree(to_regclass($1))
     where isleaf and relid <> to_regclass($1) order by 1`,
    [table],
  );
  return rows.map(({ name }) => name);
}

async function hasPart(client: pg.Client, index: string, partition: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select 1 from pg_inherits join pg_index on indexrelid = inhrelid
     where inhparent = to_regclass($1) and indrelid = to_regclass($2)`,
    [index, partition],
  );
  return rowCount === 1;
}
