import { sql } from 'kysely';
import { relayTransaction } from './org-transaction.ts';
import type { Database } from './pool.ts';
import { missingMigrations } from './run-migrations.ts';

/** Whether the login may become the roles the service works as, and every migration is there. */
export async function checkDatabase(database: Database): Promise<{ ok: boolean; detail: string }> {
  const { rows: roles } = await sql<{ ready: boolean }>`
    select bool_and(pg_has_role(current_user, role, 'member')) as ready
    from unnest(array['rostrum_app', 'rostrum_relay']) role
    where exists (select 1 from pg_roles where rolname = role)
    having count(*) = 2`.execute(database);
  if (roles[0]?.ready !== true) {
    return {
      ok: false,
      detail: 'The database is not migrated, or its login is no member of rostrum_app and rostrum_relay.',
    };
  }
  const { rows } = await sql<{
    name: string;
    checksum: string;
  }>`select name, checksum from schema_migrations`.execute(database);
  const missing = await missingMigrations(rows);
  if (missing.length > 0)
    return { ok: false, detail: `Run rostrum migrate; missing: ${missing.join(', ')}.` };
  return { ok: true, detail: 'reachable and migrated' };
}

/** Whether row level security holds for the login: it does for nobody who is superuser or bypasses it. */
export async function isAboveTenants(database: Database): Promise<boolean> {
  const { rows } = await sql<{ above: boolean }>`
    select rolsuper or rolbypassrls as above from pg_roles where rolname = session_user`.execute(database);
  return rows[0]?.above === true;
}

/** How long the oldest message has waited for the engine. */
export async function outboxAge(database: Database, now: Date): Promise<number> {
  const oldest = await relayTransaction(database, (db) =>
    db.selectFrom('outbox').select('created_at').orderBy('id').limit(1).executeTakeFirst(),
  );
  return oldest === undefined ? 0 : Math.max(0, (now.getTime() - oldest.created_at.getTime()) / 1000);
}
