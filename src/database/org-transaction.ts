import { setTimeout as pause } from 'node:timers/promises';
import { CompiledQuery, type KyselyPlugin } from 'kysely';
import { OrgId } from '../kernel/ids.ts';
import { settingsOf } from './planner.ts';
import type { Database } from './pool.ts';

/** Thrown inside a transaction when rows it relied on have changed: everything is rolled back and tried again. */
export class TryAgain extends Error {}

/**
 * Thrown inside a transaction for slow work that needs no database: everything is rolled back, so that no connection
 * waits for it, the work is done, and the transaction starts over and finds it done.
 */
export class DoFirst extends Error {
  readonly act: () => Promise<void>;

  constructor(act: () => Promise<void>) {
    super('to be done before the transaction');
    this.act = act;
  }
}

const attempts = 40;
// Serialization failure and deadlock; a reference or a unique value that another transaction changed meanwhile: looking
// again gives the caller the right refusal instead of the database's.
const retriable = new Set(['40001', '40P01', '23503', '23505']);

/**
 * The one way to an organization's rows: a transaction as the application role, bound to that organization by row
 * level security. Role, organization and limits are set in the same round trip as BEGIN and end with it. A read sees
 * one moment throughout, so a page and its total agree.
 */
export async function orgTransaction<T>(
  database: Database,
  org: OrgId,
  access: 'read' | 'write',
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const begin = beginAs('rostrum_app', access, OrgId.parse(org));
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(database, begin, work);
    } catch (error) {
      if (attempt >= attempts || !mayTryAgain(error)) throw error;
      if (error instanceof DoFirst) await error.act();
      else await pause(Math.random() * Math.min(2 ** attempt, 50));
    }
  }
}

/** For the relay and its sweeps, which serve every organization and may touch only what their role was granted. */
export const relayTransaction = <T>(database: Database, work: (db: Database) => Promise<T>): Promise<T> =>
  inTransaction(database, beginAs('rostrum_relay', 'write'), work);

/** For accounts, which belong to no organization: only this role can read them, and it can read nothing else. */
export const accountTransaction = <T>(
  database: Database,
  access: 'read' | 'write',
  work: (db: Database) => Promise<T>,
): Promise<T> => inTransaction(database, beginAs('rostrum_auth', access), work);

/** Within an organization's transaction of the operator: does what belongs to the installation, as the relay's role. */
export async function asRelay<T>(db: Database, work: () => Promise<T>): Promise<T> {
  await db.executeQuery(CompiledQuery.raw("select set_config('role', 'rostrum_relay', true)"));
  const result = await work();
  await db.executeQuery(CompiledQuery.raw("select set_config('role', 'rostrum_app', true)"));
  return result;
}

const beginAs = (role: string, access: 'read' | 'write', org = ''): string =>
  `begin isolation level ${access === 'read' ? 'repeatable read read only' : 'read committed read write'};
   set local statement_timeout = '30s';
   ${settingsOf(access)}
   select set_config('app.org_id', '${org}', true), set_config('role', '${role}', true)`;

const mayTryAgain = (error: unknown): boolean =>
  error instanceof TryAgain ||
  error instanceof DoFirst ||
  retriable.has((error as { code?: string }).code ?? '');

const inTransaction = <T>(
  database: Database,
  begin: string,
  work: (db: Database) => Promise<T>,
): Promise<T> =>
  database.connection().execute(async (db) => {
    const life = untilOver();
    await db.executeQuery(CompiledQuery.raw(begin));
    try {
      const result = await work(db.withPlugin(life.plugin));
      life.end();
      const { rows } = await db.executeQuery<{ command: string }>(CompiledQuery.raw('commit'));
      if (rows[0]?.command !== 'COMMIT')
        throw new Error('the transaction had already failed and was rolled back');
      return result;
    } catch (error) {
      life.end();
      // A connection that cannot roll back is gone, and its transaction with it: the first error is the one to throw.
      await db.executeQuery(CompiledQuery.raw('rollback')).catch(() => undefined);
      throw error;
    }
  });

/** Refuses queries once the transaction is over: its connection may by then be in another organization's. */
function untilOver(): { readonly plugin: KyselyPlugin; end(): void } {
  let isOver = false;
  return {
    plugin: {
      transformQuery({ node }) {
        if (isOver) throw new Error('the transaction of this query is over');
        return node;
      },
      transformResult: async ({ result }) => result,
    },
    end() {
      isOver = true;
    },
  };
}
