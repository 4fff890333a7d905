import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { patiently } from './migrate-patiently.ts';

export const isBackfill = (name: string): boolean => name.endsWith('.backfill.sql');

const rowsAtOnce = 1_000; // some tens of milliseconds, for which writers of the same rows may have to wait

/** The organization that is being filled, and the key of the last row of it that is. */
interface Progress {
  readonly org: string;
  readonly after: readonly string[] | null;
}

interface Kept {
  readonly from: unknown;
  readonly keep: (progress: Progress) => Promise<void>;
}

/** `-- backfill people by id`, then one statement that joins `batch`, which has these columns and org_id. */
export function readBackfill(text: string): { table: string; key: string[]; statement: string } {
  const [, table, columns] = /^-- backfill (\w+) by (\w+(?:, \w+)*)$/m.exec(text) ?? [];
  const statement = text.replaceAll(/--.*$/gm, '').trim().replace(/;$/, '');
  if (table === undefined || columns === undefined || !/\bbatch\b/.test(statement) || statement.includes(';'))
    throw new Error('a .backfill.sql holds "-- backfill table by key" and one statement that joins batch');
  return { table, key: columns.split(', '), statement };
}

/** Goes through the rows organization by organization as the service would, in small transactions with pauses. */
export async function backfill(client: pg.Client, text: string, { from, keep }: Kept): Promise<void> {
  const { table, key, statement } = readBackfill(text);
  const columns = key.join(', ');
  const parameters = (first: number) => key.map((_, index) => `$${first + index}`).join(', ');
  let at = (from as Progress | null) ?? (await nextOrg(client, null));
  while (at !== undefined) {
    const { org, after }: Progress = at;
    const began = performance.now();
    let last: string[] | undefined;
    await patiently(client, async () => {
      await client.query(
        "select set_config('role', 'rostrum_app', true), set_config('app.org_id', $1, true)",
        [org],
      );
      const beyond = after === null ? '' : `and (${columns}) > (${parameters(2)})`;
      const { rows } = await client.query<string[]>({
        text: `select ${key.map((column) => `${column}::text`).join(', ')} from ${table}
          where org_id = $1 ${beyond} order by ${columns} limit ${rowsAtOnce}`,
        values: [org, ...(after ?? [])],
        rowMode: 'array',
      });
      last = rows.at(-1);
      if (last === undefined) return;
      const upTo = `and (${columns}) <= (${parameters(2 + (after?.length ?? 0))})`;
      await client.query(
        `with batch as (select org_id, ${columns} from ${table} where org_id = $1 ${beyond} ${upTo}) ${statement}`,
        [org, ...(after ?? []), ...last],
      );
      await client.query("select set_config('role', 'none', true)");
      await keep({ org, after: last });
    });
    at = last === undefined ? await nextOrg(client, org) : { org, after: last };
    await pause(performance.now() - began); // half of the time belongs to the others
  }
}

async function nextOrg(client: pg.Client, after: string | null): Promise<Progress | undefined> {
  let next: string | undefined;
  await patiently(client, async () => {
    await client.query('set local role rostrum_relay');
    const { rows } = await client.query<{ id: string }>(
      'select id from organizations where $1::uuid is null or id > $1 order by id limit 1',
      [after],
    );
    next = rows[0]?.id;
  });
  return next === undefined ? undefined : { org: next, after: null };
}
