import { CompiledQuery } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { orgTransaction, relayTransaction } from '../../src/database/org-transaction.ts';
import { openDatabase, openPool } from '../../src/database/pool.ts';
import { checksums, tenantTables } from '../support/furnish.ts';
import { useWorld } from '../support/world.ts';
import { newFurnished, type Furnished } from './furnished-orgs.ts';

const world = useWorld();
const insufficientPrivilege = '42501';

let mine: Furnished;
let other: Furnished;
let tables: string[];

beforeAll(async () => {
  mine = await newFurnished(world());
  other = await newFurnished(world());
  tables = await tenantTables(world().admin);
});

const orgColumn = (table: string): string => (table === 'organizations' ? 'id' : 'org_id');

interface Outcome {
  readonly rows: Record<string, unknown>[];
  readonly touched: number | null;
  readonly refused?: string | undefined;
}

/** What a statement does as a role bound to an organization, or to none. It is kept unless it is refused. */
async function as(role: string, org: string, statement: string, values: unknown[] = []): Promise<Outcome> {
  const { admin } = world();
  await admin.query('begin');
  await admin.query("select set_config('app.org_id', $1, true), set_config('role', $2, true)", [org, role]);
  try {
    const { rows, rowCount } = await admin.query<Record<string, unknown>>(statement, values);
    await admin.query('commit');
    return { rows, touched: rowCount };
  } catch (error) {
    await admin.query('rollback');
    return { rows: [], touched: 0, refused: (error as { code?: string }).code };
  }
}

const inApp = (org: string, statement: string, values?: unknown[]): Promise<Outcome> =>
  as('rostrum_app', org, statement, values);

/** How many rows of each organization are seen in every table. */
async function seenBy(org: string): Promise<Record<string, { mine: number; others: number; all: number }>> {
  const seen: Record<string, { mine: number; others: number; all: number }> = {};
  for (const table of tables) {
    const column = orgColumn(table);
    const { rows, refused } = await inApp(
      org,
      `select count(*) filter (where ${column} = $1)::int as mine, count(*) filter (where ${column} = $2)::int as others,
         count(*)::int as all from ${table}`,
      [mine.org.id, other.org.id],
    );
    if (refused !== undefined) throw new Error(`reading ${table} was refused: ${refused}`);
    seen[table] = rows[0] as { mine: number; others: number; all: number };
  }
  return seen;
}

describe('rostrum_app bound to one organization', () => {
  test('TEN-001 sees rows of its own and none of another in every table', async () => {
    const seen = await seenBy(mine.org.id);
    expect(Object.keys(seen).length).toBeGreaterThan(20);
    for (const [table, { mine: ours, others, all }] of Object.entries(seen)) {
      expect({ table, others, all, some: ours > 0 }).toEqual({ table, others: 0, all: ours, some: true });
    }
  });

  test('TEN-001 is refused every row it inserts for another organization', async () => {
    const before = await checksums(world().admin);
    for (const table of tables) {
      const { rows } = await world().admin.query<{ row: unknown }>(
        `select to_jsonb(t) as row from ${table} t where ${orgColumn(table)} = $1 limit 1`,
        [other.org.id],
      );
      expect({ table, rows: rows.length }).toEqual({ table, rows: 1 });
      // Generated columns are filled by the table itself.
      const columns = await insertable(table);
      const { refused } = await inApp(
        mine.org.id,
        `insert into ${table} (${columns}) overriding system value
         select ${columns} from jsonb_populate_record(null::${table}, $1)`,
        [JSON.stringify(rows[0]!.row)],
      );
      expect({ table, refused }).toEqual({ table, refused: insufficientPrivilege });
    }
    expect(await checksums(world().admin)).toEqual(before);
  });

  test('TEN-001 is refused giving a row of its own to another organization', async () => {
    const before = await checksums(world().admin);
    for (const table of tables) {
      const column = orgColumn(table);
      const give = `update ${table} set ${column} = $2 where ${column} = $1`;
      const { refused } = await inApp(mine.org.id, give, [mine.org.id, other.org.id]);
      expect({ table, refused }).toEqual({ table, refused: insufficientPrivilege });
    }
    expect(await checksums(world().admin)).toEqual(before);
  });

  test('TEN-001 changes and deletes no row of another organization', async () => {
    const before = await checksums(world().admin);
    for (const table of tables) {
      const column = orgColumn(table);
      for (const statement of [
        `update ${table} set ${column} = ${column} where ${column} = $1`,
        `delete from ${table} where ${column} = $1`,
      ]) {
        const { touched } = await inApp(mine.org.id, statement, [other.org.id]);
        expect({ statement, touched }).toEqual({ statement, touched: 0 });
      }
    }
    expect(await checksums(world().admin)).toEqual(before);
  });

  test('TEN-001 finds people of its own alone through the search that looks below row level security', async () => {
    const search = 'select gate.search_people($1, 50) as id';
    const found = await inApp(mine.org.id, search, ['sample']);
    expect(found.rows).toEqual([{ id: mine.ids['people'] }]);
    expect((await inApp('', search, ['sample'])).rows).toEqual([]);
  });
});

test('TEN-001 rostrum_app bound to no organization sees nothing in any table', async () => {
  const nothing = { mine: 0, others: 0, all: 0 };
  expect(await seenBy('')).toEqual(Object.fromEntries(tables.map((table) => [table, nothing])));
});

async function insertable(table: string): Promise<string> {
  const { rows } = await world().admin.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return rows[0]!.columns;
}

test('TEN-001 nothing of an organization stays on the connection, however its transaction ended', async () => {
  const pool = openPool({ url: world().databaseUrl, size: 1, onError: () => undefined });
  const state = `select current_user = session_user as itself, coalesce(current_setting('app.org_id', true), '') as org`;
  const clean = [{ itself: true, org: '' }];
  const database = openDatabase(pool);
  for (const access of ['read', 'write'] as const) {
    await orgTransaction(database, mine.org.id, access, async (db) => {
      const { rows } = await db.executeQuery(CompiledQuery.raw(state));
      expect(rows).toEqual([{ itself: false, org: mine.org.id }]);
    });
    expect((await pool.query(state)).rows).toEqual(clean);
    const failing = orgTransaction(database, mine.org.id, access, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect((await pool.query(state)).rows).toEqual(clean);
  }
  await relayTransaction(database, async () => undefined);
  expect((await pool.query(state)).rows).toEqual(clean);
  await pool.end();
});
