import pg from 'pg';
import { atAnyTime, ofPeople } from '../../src/database/lock-order.ts';
import { orgLocks, thingLocks } from '../../src/database/locks.ts';

/** Rows are only added to these, or belong to a person; and there are many of them. */
const neverWaitedFor = [
  ...ofPeople,
  ...Array.from({ length: 38 }, (_, page) => `property_page_${page}`),
  ...atAnyTime,
];

/** A lock that a transaction holds: an advisory one by its name, or a row. */
export interface Taken {
  /** `people`, or `lock clock`. */
  readonly what: string;
  /** The row's id where it has one. */
  readonly id: string;
}

/**
 * Reads from outside which rows of an organization a session has locked or changed, and which advisory locks it has.
 * PostgreSQL writes a row's locker into its xmax, which others can read: so row locks show that no view lists, also
 * those of triggers and references. Nobody else may be at work in the organization meanwhile.
 */
export class RowLocks {
  readonly #client: pg.Client;
  #sql = '';
  #before = new Map<string, string>();

  constructor(url: string) {
    this.#client = new pg.Client({ connectionString: url });
  }

  async open(): Promise<void> {
    await this.#client.connect();
    await this.#client.query('set jit = off');
    const { rows } = await this.#client.query<{ table_name: string; columns: string[] }>(
      `select table_name, array_agg(column_name::text) as columns from information_schema.columns
       join information_schema.tables using (table_schema, table_name)
       join pg_class on relname = table_name and relnamespace = 'public'::regnamespace and not relispartition
       where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> all($1)
       group by table_name order by table_name`,
      [neverWaitedFor],
    );
    const org = (table: string) => (table === 'organizations' ? 'id' : 'org_id');
    this.#sql = rows
      .filter(({ table_name, columns }) => columns.includes(org(table_name)))
      .map(
        ({ table_name, columns }) =>
          `select '${table_name}' as what, tableoid || ' ' || ctid as at, xmax::text as by,
             ${columns.includes('id') ? 'id::text' : "''"} as id
           from ${table_name} where ${org(table_name)} = $1`,
      )
      .join(' union all ');
  }

  close = (): Promise<void> => this.#client.end();

  /** From here on: what was locked before is not this transaction's. */
  async begin(org: string): Promise<void> {
    this.#before = new Map((await this.#rows(org)).map((row) => [key(row), row.by]));
  }

  /** What is locked by now that was not at the last look. */
  async taken(org: string, pid: number): Promise<Taken[]> {
    const rows = await this.#rows(org);
    const fresh = rows.filter((row) => this.#before.has(key(row)) && this.#before.get(key(row)) !== row.by);
    for (const row of rows) this.#before.set(key(row), row.by);
    return [...(await this.#advisory(pid)), ...fresh.map(({ what, id }) => ({ what, id }))];
  }

  async #rows(org: string) {
    const { rows } = await this.#client.query<{ what: string; at: string; by: string; id: string }>({
      name: 'rows',
      text: this.#sql,
      values: [org],
    });
    return rows;
  }

  async #advisory(pid: number): Promise<Taken[]> {
    const { rows } = await this.#client.query<{ class: string; id: string; pair: boolean }>(
      `select classid::text as class, objid::text as id, objsubid = 2 as pair from pg_locks
       where locktype = 'advisory' and pid = $1`,
      [pid],
    );
    const fresh = rows.filter((row) => !this.#before.has(`lock ${row.class} ${row.id}`));
    for (const row of fresh) this.#before.set(`lock ${row.class} ${row.id}`, '');
    return fresh.map((row) => ({
      what: row.pair ? nameOf(Number(row.class)) : 'lock of a thing',
      id: row.id,
    }));
  }
}

const key = ({ what, at }: { readonly what: string; readonly at: string }): string => `${what} ${at}`;

const nameOf = (number: number): string =>
  `lock ${Object.entries(orgLocks).find(([, one]) => one === number)?.[0] ?? number}`;

/** Which lock of a thing a statement takes. */
export function thingIn(text: string): string | undefined {
  const seed = /hashtextextended\(\$\d+, (\d)\)/.exec(text)?.[1];
  const found = Object.entries(thingLocks).find(([, one]) => String(one) === seed);
  return found && `lock ${found[0]}`;
}
