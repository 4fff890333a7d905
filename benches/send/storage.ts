import type pg from 'pg';
import { told, type Figure } from '../support/figure.ts';

/** What the ledger takes on disk once it was vacuumed, and how its rows were written: over all of its months. */
export async function storageFigures(rows: pg.Client): Promise<Figure[]> {
  await rows.query('select pg_stat_force_next_flush()');
  await rows.query('vacuum analyze deliveries');
  const { rows: found } = await rows.query<{ bytes: number; heap: number; hot: number; updates: number }>(`
    select (sum(pg_total_relation_size(relid)) / sum(greatest(n_live_tup, 0)))::float8 as bytes,
      (sum(pg_relation_size(relid)) / sum(greatest(n_live_tup, 0)))::float8 as heap,
      sum(n_tup_hot_upd)::float8 as hot, sum(n_tup_upd)::float8 as updates
    from pg_stat_user_tables where relname = 'deliveries' or relname like 'deliveries\\_%'`);
  const { bytes, heap, hot, updates } = found[0]!;
  return [
    told('bytes a message in the ledger, indexes included', bytes),
    told('bytes a message in the ledger, without indexes', heap),
    told(`of ${updates} updates of the ledger, % that no index heard of`, (hot / updates) * 100),
  ];
}
