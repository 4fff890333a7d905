import { expect, vi } from 'vitest';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import type { Way } from '../support/call-operation.ts';
import { TestConnection } from '../support/connection.ts';
import { furnish, type Ids } from '../support/furnish.ts';
import { idFields, sampleInput, variantsOf, withValue, type Step } from '../support/sample-input.ts';
import type { TestOrg } from '../support/test-org.ts';
import type { World } from '../support/world.ts';

export interface Furnished {
  readonly org: TestOrg;
  readonly ids: Ids;
}

export async function newFurnished(world: World): Promise<Furnished> {
  const org = await world.newOrg();
  await world.admin.query('begin'); // sixty rows are committed once
  const ids = await furnish(world.admin, org.id);
  await world.admin.query('commit');
  return { org, ids };
}

/**
 * Stops the clock and uses keys once for every kind of call. Calls are counted by the minute and the use of a key or
 * a connection is noted once in it, so from here on whatever changes a row was done by an operation.
 */
export async function settle(world: World, ...keys: readonly TestOrg[]): Promise<void> {
  const still = world.clock.now();
  world.clock.now = () => still;
  for (const key of keys) {
    await key.rest('GET /v1/people');
    await key.rest('POST /v1/people/search', {});
    await key.rest('POST /v1/people/identify', {});
    await key.rpc('tools/list', {}); // all that a connection can ask for
  }
  const busy = `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and backend_type = 'client backend' and state <> 'idle'`;
  const ids = keys.map(({ keyId }) => keyId).filter((id) => id !== ''); // others than keys have none
  const noted = 'select 1 from api_keys where id = any($1) and last_used_at is not null';
  const users = keys.flatMap((key) => (key instanceof TestConnection ? [key.member.user.userId] : []));
  const unused = 'select 1 from connections where user_id = any($1) and last_used_at is null';
  await vi.waitFor(async () => {
    const { rowCount } = await world.admin.query(noted, [ids]);
    expect(rowCount).toBe(ids.length);
    expect((await world.admin.query(unused, [users])).rowCount).toBe(0);
    // A use may be noted twice, when the first note took long.
    expect((await world.admin.query(busy)).rowCount).toBe(0);
  }, 20_000);
}

export type TableOf = (field: string) => string;

/** Which table a field like `config_id` names a row of: what a column of that name refers to, or the plural. */
export async function readTableOf(world: World): Promise<TableOf> {
  const { rows } = await world.admin.query<{ field: string; target: string }>(`
    select distinct a.attname as field, c.confrelid::regclass::text as target
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace and a.attname <> 'org_id'`);
  const known = new Map(rows.map(({ field, target }) => [field, target]));
  known.set('blacklist_entry_id', 'email_blacklist');
  known.set('user_id', 'members');
  known.set('view_id', 'people_views');
  known.set('config_id', 'property_configs'); // a trigger looks after it, and no foreign key
  return (field) => known.get(field) ?? `${field.replace(/_id$/, '')}s`;
}

/** A valid input made from the schema, with the ids of one organization's rows. */
export function inputWith(
  ids: Ids,
  tableOf: TableOf,
  operation: AnyOperation,
  way: Way,
  fields: 'all' | 'few',
  variant = 0,
): Record<string, unknown> {
  let input: unknown = sampleInput(operation, way.input, fields, variant);
  for (const { name, path } of idFields(way.input)) {
    if (valueAt(input, path) !== undefined) input = withValue(input, path, idFor(name, tableOf, ids));
  }
  return input as Record<string, unknown>;
}

/** The first way of having every field in which there is something at this place; the first of all, if in none. */
export function variantWith(operation: AnyOperation, way: Way, path: readonly Step[]): number {
  const variants = Array.from({ length: variantsOf(operation) }, (_, variant) => variant);
  const has = (variant: number) =>
    valueAt(sampleInput(operation, way.input, 'all', variant), path) !== undefined;
  return variants.find(has) ?? 0;
}

export function idFor(field: string, tableOf: TableOf, ids: Ids): string {
  const id = ids[tableOf(field)];
  if (id === undefined) throw new Error(`No table is known whose rows ${field} names.`);
  return id;
}

const valueAt = (input: unknown, path: readonly Step[]): unknown =>
  path.reduce<unknown>((inner, step) => (inner as Record<string, unknown> | undefined)?.[step], input);
