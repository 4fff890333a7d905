import { Kysely, PostgresDialect } from 'kysely';
import { performer } from '../../src/catalogue/perform.ts';
import { keyring } from '../../src/main/keys.ts';
import { openPool } from '../../src/database/pool.ts';
import type { DB } from '../../src/database/tables.generated.ts';
import type { Work } from '../../src/database/work.ts';
import { permissions, type Caller } from '../../src/kernel/caller.ts';
import type { OrgId } from '../../src/kernel/ids.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';

/** A statement as an operation sends it. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/**
 * Performs operations once and writes down every statement they sent, BEGIN to COMMIT, so that the bare server runs
 * the very same SQL and cannot fall behind when a query changes.
 */
export async function recordSql(
  url: string,
  org: OrgId,
  calls: Readonly<Record<string, readonly [AnyOperation<Work>, unknown]>>,
): Promise<Record<string, Statement[]>> {
  const pool = openPool({ url, size: 1, onError: () => undefined });
  let statements: Statement[] = [];
  const database = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void statements.push({ sql: query.sql, parameters: query.parameters }),
  });
  const perform = performer(database, keyring({ ROSTRUM_SECRET: 'a secret for benches' }), {
    returnPathHost: 'bounce.example.net',
    publicUrl: 'https://rostrum.example.net',
  });
  const recorded: Record<string, Statement[]> = {};
  for (const [name, [operation, input]] of Object.entries(calls)) {
    statements = [];
    await perform(operation, caller(org), input);
    recorded[name] = statements;
  }
  await pool.end();
  return recorded;
}

const caller = (org: OrgId): Caller => ({
  org,
  actor: { kind: 'api_key', id: '00000000-0000-0000-0000-000000000000' },
  permissions: new Set(permissions),
  powers: new Set(),
  face: 'rest',
  requestId: 'bench',
  address: '127.0.0.1',
  now: new Date(),
  mode: 'live',
  currency: 'USD',
});
