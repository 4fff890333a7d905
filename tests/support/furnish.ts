import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { sampleText } from './sample-input.ts';

/** The id of the row made in each table that has a column `id` of uuids. */
export type Ids = Readonly<Record<string, string>>;

interface Column {
  readonly name: string;
  readonly type: string;
  /** May be left out: it has a default, is generated or takes null. */
  readonly optional: boolean;
  /** The table it names a row of. */
  readonly target: string | null;
  /** The first of the words a check allows. */
  readonly word: string | null;
}

const then = new Date('2026-01-01T00:00:00Z');

const valueOf: Readonly<Record<string, () => unknown>> = {
  text: () => sampleText,
  uuid: () => randomUUID(),
  'timestamp with time zone': () => then,
  date: () => then,
  bigint: () => 1,
  integer: () => 1,
  smallint: () => 1,
  'double precision': () => 1,
  boolean: () => true,
  bytea: () => randomBytes(32),
  json: () => ({}),
  jsonb: () => ({}),
  'text[]': () => [],
};

/** Columns whose checks ask for more than their type tells. */
const special: Readonly<Record<string, () => unknown>> = {
  'identifiers.type': () => 'org_assigned_user_id', // what a webinar's registrants are found by
  'sending_domains.domain': () => 'example.net',
  'sms_numbers.number': () => '+15550000000',
  'platform_connections.platform': () => 'zoom',
  'platform_connections.details': () => JSON.stringify({ client_id: sampleText }),
  'connections.permissions': () => ['people.read'],
  'connections.ends_at': () => new Date('2100-01-01T00:00:00Z'),
  'waits.due_at': () => then,
  'registration_pages.slug': () => randomBytes(8).toString('hex'),
  'registration_pages.fields': () => JSON.stringify([{ field: 'email', required: true }]),
  // A draft with a mapping, one row that fits it and one that does not.
  'invitations.ends_at': () => new Date('2100-01-01T00:00:00Z'),
  'imports.status': () => 'mapped',
  'imports.columns': () => JSON.stringify([sampleText]),
  'imports.mapping': () => JSON.stringify({ targets: { [sampleText]: 'external_user_id' }, properties: [] }),
  'imports.last_row': () => 2,
  'imports.staged_rows': () => 1,
  'imports.rejected_rows': () => 1,
  'import_parts.rows': () =>
    JSON.stringify([[1, [sampleText, null, null, null, null, null, null], null, null, 0, []]]),
  'import_failures.row': () => 2,
  'broadcast_links.url': () => 'https://example.com/',
  'named_events.event_id': () => `${sampleText} of another event`, // else what is recorded is known already
  'broadcasts.workflow_id': () => null, // a workflow's messages are nobody's broadcast
  'broadcasts.created_by': () => JSON.stringify({ kind: 'api_key', id: sampleText }),
  'workflows.graph': () =>
    JSON.stringify({
      trigger: { type: 'webinar_registration', webinar_id: null, next: 'done' },
      nodes: [{ id: 'done', type: 'end' }],
      accepted: {},
    }),
  'workflow_versions.drawn': () => JSON.stringify({ trigger: { type: 'event' }, nodes: [] }),
  'segments.filters': () => JSON.stringify([{ property: 'primary_email', op: 'is_not_empty' }]),
};

/** References that a trigger looks after, and no foreign key. */
const targets: Readonly<Record<string, string>> = { 'property_values.config_id': 'property_configs' };

/** Every table that holds organizations' rows, from the database itself: a new one is covered without being named. */
export async function tenantTables(admin: pg.Client): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname not in ('schema_migrations', 'installation')
    order by relname`);
  return rows.map(({ name }) => name);
}

/**
 * Gives an organization a row in every table, made from the table's columns, references and checks alone, and says how
 * the rows are called. A table for which that does not do fails it.
 */
export async function furnish(admin: pg.Client, org: string): Promise<Ids> {
  const tables = await tablesOf(admin);
  const ids: Record<string, string> = { organizations: org };
  const made = new Set(['organizations']);
  while (made.size < tables.size) {
    const next = [...tables].find(
      ([table, columns]) =>
        !made.has(table) &&
        columns.every(({ target }) => target === null || target === table || made.has(target)),
    );
    if (next === undefined)
      throw new Error('furnish() cannot order the tables: their references form a circle');
    const [table, columns] = next;
    ids[table] = randomUUID();
    await insertRow(admin, org, table, columns, ids);
    made.add(table);
  }
  return ids;
}

async function insertRow(
  admin: pg.Client,
  org: string,
  table: string,
  columns: readonly Column[],
  ids: Record<string, string>,
): Promise<void> {
  const row: Record<string, unknown> = {};
  for (const { name, type, optional, target, word } of columns) {
    if (name === 'org_id') row[name] = org;
    else if (special[`${table}.${name}`] !== undefined) row[name] = special[`${table}.${name}`]?.();
    else if (target !== null) row[name] = ids[target];
    else if (optional) continue;
    else if (name === 'id' && type === 'uuid') row[name] = ids[table];
    else row[name] = word ?? valueOf[type]?.();
  }
  const names = Object.keys(row);
  const places = names.map((_, index) => `$${index + 1}`);
  const insert = `insert into ${table} (${names.join(', ')}) values (${places.join(', ')})`;
  await admin.query(insert, Object.values(row)).catch((error: Error) => {
    throw new Error(`furnish() cannot make a row of ${table}: ${error.message}`, { cause: error });
  });
}

const known = new WeakMap<pg.Client, Promise<Map<string, Column[]>>>();

/** Reading them takes 100 ms, and a database keeps its tables while a file is tested. */
function tablesOf(admin: pg.Client): Promise<Map<string, Column[]>> {
  const read = known.get(admin) ?? readTables(admin);
  known.set(admin, read);
  return read;
}

async function readTables(admin: pg.Client): Promise<Map<string, Column[]>> {
  const tables = new Map((await tenantTables(admin)).map((table): [string, Column[]] => [table, []]));
  const { rows } = await admin.query<Column & { table: string }>(`
    select a.attrelid::regclass::text as table, a.attname as name, format_type(a.atttypid, null) as type,
      a.atthasdef or a.attidentity <> '' or a.attgenerated <> '' or not a.attnotnull as optional,
      (select confrelid::regclass::text from pg_constraint
        where contype = 'f' and conrelid = a.attrelid and a.attname <> 'org_id' and a.attnum = any (conkey)
        limit 1) as target,
      (select substring(pg_get_constraintdef(oid) from 'ARRAY\\[''([^'']+)''') from pg_constraint
        where contype = 'c' and conrelid = a.attrelid and conkey = array[a.attnum]
          and pg_get_constraintdef(oid) like '%= ANY%'
        limit 1) as word
    from pg_attribute a
    where a.attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
      and a.attnum > 0 and not a.attisdropped
    order by a.attnum`);
  for (const { table, ...column } of rows) {
    tables.get(table)?.push({ ...column, target: targets[`${table}.${column.name}`] ?? column.target });
  }
  return tables;
}

/** A checksum of every row of every table, by table. */
export async function checksums(admin: pg.Client): Promise<Record<string, string>> {
  const tables = [...(await tenantTables(admin)), 'installation', 'schema_migrations'];
  const { rows } = await admin.query<{ name: string; sum: string }>(
    tables
      .map(
        (table) => `select '${table}' as name,
          count(*) || ' ' || md5(coalesce(string_agg(t::text, E'\\n' order by t::text), '')) as sum from ${table} t`,
      )
      .join(' union all ')
      .concat(' order by name'),
  );
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]));
}
