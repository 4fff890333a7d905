import { sql } from 'kysely';
import { readSending } from './held-sending.ts';
import { relayTransaction } from './org-transaction.ts';
import { outboxFrom } from './outbox.ts';
import type { Database } from './pool.ts';
import { missingMigrations } from './run-migrations.ts';

/** Whether the login may become the roles the service works as, and every migration is there. */
export async function checkDatabase(database: Database): Promise<{ ok: boolean; detail: string }> {
  const { rows: roles } = await sql<{ ready: boolean }>`
    select bool_and(pg_has_role(current_user, role, 'member')) as ready
    from unnest(array['rostrum_app', 'rostrum_relay', 'rostrum_auth']) role
    where exists (select 1 from pg_roles where rolname = role)
    having count(*) = 3`.execute(database);
  if (roles[0]?.ready !== true) {
    return {
      ok: false,
      detail:
        'The database is not migrated, or its login is no member of rostrum_app, rostrum_relay and rostrum_auth.',
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

/** Whether the login escapes row level security, as a superuser and a role that bypasses it do. */
export async function isAboveTenants(database: Database): Promise<boolean> {
  const { rows } = await sql<{ above: boolean }>`
    select rolsuper or rolbypassrls as above from pg_roles where rolname = session_user`.execute(database);
  return rows[0]?.above === true;
}

/** How long the oldest message has waited for the engine, and whose it is. */
export async function readOutboxAge(
  database: Database,
  now: Date,
): Promise<{ seconds: number; org: string | undefined }> {
  const oldest = await relayTransaction(database, (db) =>
    db
      .selectFrom('outbox')
      .select(['created_at', 'org_id'])
      .where('tx', '>=', outboxFrom)
      .orderBy('tx')
      .limit(1)
      .executeTakeFirst(),
  );
  if (oldest === undefined) return { seconds: 0, org: undefined };
  return {
    seconds: Math.max(0, (now.getTime() - oldest.created_at.getTime()) / 1000),
    org: oldest.org_id,
  };
}

/** Whether sending is held for the whole installation, and what to do then. */
export async function checkSending(database: Database): Promise<{ ok: boolean; detail: string }> {
  const { held_at, held_because } = await relayTransaction(database, readSending);
  if (held_at === null) return { ok: true, detail: 'not held' };
  const since = held_at.toISOString();
  return { ok: false, detail: `Held since ${since}. ${held_because ?? ''} Run rostrum recover.` };
}

/** The receiving domains that asked the whole installation for less, and get less now. */
export async function readSlowDomains(database: Database, now: Date): Promise<string[]> {
  const { rows } = await relayTransaction(database, (db) =>
    sql<{
      domain: string;
    }>`select distinct domain from installation.slow_domains where slow_until > ${now}`.execute(db),
  );
  return rows.map(({ domain }) => domain);
}

/** Whether live organizations are served by a database whose standbys, if there are any, may lag behind. */
export const mayForget = (database: Database): Promise<boolean> =>
  relayTransaction(database, async (db) => {
    const { rows } = await sql<{ may: boolean }>`
      select current_setting('synchronous_standby_names') = ''
        and exists (select 1 from organizations where mode = 'live') as may`.execute(db);
    return rows[0]?.may === true;
  });
