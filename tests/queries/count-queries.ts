import type pg from 'pg';
import { openDatabase, openPool, type Database } from '../../src/database/pool.ts';

/** What an operation asked of the database. */
export interface Asked {
  /** What was sent, in order. What goes in one round trip is one, as BEGIN with its settings is. */
  readonly statements: readonly string[];
  /** Shared buffers touched, by table: its own pages and those of its indexes, by triggers and references as well. */
  readonly buffers: Record<string, number>;
}

export interface Counted {
  readonly database: Database;
  /** What `act` asks in its one transaction, which is rolled back: everything stays as it was. */
  count(act: () => Promise<unknown>): Promise<Asked>;
  close(): Promise<void>;
}

type Query = (text: string, values?: unknown[]) => Promise<pg.QueryResult>;

// The statistics of this connection alone and not of the server: nobody else's work is in them. Months count as their
// table, whichever of them there are today.
const touched = `
  select regexp_replace(coalesce(i.indrelid, t.oid, c.oid)::regclass::text, '_(\\d{4}_\\d{2}|default)$', '') as name, sum(pg_stat_get_xact_blocks_fetched(c.oid))::int as buffers
  from pg_class c left join pg_index i on i.indexrelid = c.oid left join pg_class t on t.reltoastrelid = c.oid
  where coalesce(t.relnamespace, c.relnamespace) = 'public'::regnamespace and c.relkind in ('r', 'i', 't')
  group by 1 having sum(pg_stat_get_xact_blocks_fetched(c.oid)) > 0 order by 1`;

/** One connection whose statements are written down and whose commits are taken back. */
export function openCounted(url: string): Counted {
  const pool = openPool({ url, size: 1, onError: () => undefined });
  let statements: string[] = [];
  let buffers: Record<string, number> | undefined;
  let counting = false;
  pool.on('connect', (client) => {
    const send = client.query.bind(client) as unknown as Query;
    const query: Query = async (text, values) => {
      if (!counting) return send(text, values);
      statements.push(text);
      if (text !== 'commit') return send(text, values);
      await send('set constraints all immediate'); // a commit would have checked them
      const { rows } = await send(touched);
      buffers = Object.fromEntries(
        (rows as { name: string; buffers: number }[]).map((row) => [row.name, row.buffers]),
      );
      return { ...(await send('rollback')), command: 'COMMIT' };
    };
    Object.assign(client, { query });
  });
  return {
    database: openDatabase(pool),
    async count(act) {
      const client = await pool.connect();
      await client.query('select pg_stat_force_next_flush()'); // what came before is not this one's
      client.release();
      [statements, buffers, counting] = [[], undefined, true];
      await act().finally(() => (counting = false));
      if (buffers === undefined) throw new Error('nothing was committed');
      return { statements, buffers };
    },
    close: () => pool.end(),
  };
}
