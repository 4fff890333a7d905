import { sql } from 'kysely';
import { byKeysFromHere, forgetPlans } from '../../database/planner.ts';
import type { Database } from '../../database/pool.ts';
import type { DB } from '../../database/tables.generated.ts';
import type { OrgId } from '../../kernel/ids.ts';

/** Rows that go in one statement. Those that others refer to take these along, and are fewer. */
const many = 2_000;
const some = 200;
const few = 50;

/**
 * What is removed by itself, in an order in which nothing is left that refers to what goes. All other tables of an
 * organization go with rows of these, or with the organization at the end: tests/orgs/delete-organization.test.ts looks
 * into every table.
 */
const tables = [
  ['delivery_lanes', many],
  ['tracking_hits', many],
  ['deliveries', many],
  ['delivery_queue', many],
  ['named_events', many],
  ['events', many],
  ['waits', many],
  ['wait_clocks', many],
  ['workflow_runs', many],
  ['registrations', many],
  ['platform_links', some],
  ['platform_connections', some],
  ['idempotent_answers', some],
  ['test_sends', some],
  ['import_parts', few], // up to a megabyte each
  ['import_failures', many],
  ['imports', some],
  ['broadcasts', few],
  ['webinars', some],
  ['workflows', few],
  ['segments', some],
  ['people_views', some],
  ['senders', some],
  ['sending_domains', some],
  ['connection_invites', many],
  ['tasks', many],
  ['signals', many],
  ['subscriptions', many],
  ['purchases', many],
  ['property_changes', many],
  ['people', some],
  ['property_removals', some],
  ['property_configs', some],
  ['suppressed_addresses', many],
  ['receiving_domains', many],
] as const satisfies readonly (readonly [keyof DB, number])[];

/** Kept by month, so that the place of a row does not name it; an id does. */
const monthly: ReadonlySet<string> = new Set(['tracking_hits', 'deliveries', 'events']);

/** Deletes rows of the first table that has any, from `at` on, or answers that none has. */
export async function deleteNext(
  db: Database,
  org: OrgId,
  at: string | null,
): Promise<{ table: string; count: number } | undefined> {
  await sql`select ${byKeysFromHere}`.execute(db); // another organization's rows are not even looked at
  await forgetPlans(db);
  const from = Math.max(
    0,
    tables.findIndex(([table]) => table === at),
  );
  for (const [table, most] of tables.slice(from)) {
    const count = await deleteSome(db, org, table, most);
    if (count > 0) return { table, count };
  }
  return undefined;
}

async function deleteSome(db: Database, org: OrgId, table: string, most: number): Promise<number> {
  const named = sql.table(table);
  const which = monthly.has(table)
    ? sql`id <= (
        select id from (select id from ${named} where org_id = ${org} order by id limit ${most}) first
        order by id desc limit 1)`
    : sql`ctid = any(array(select ctid from ${named} where org_id = ${org} limit ${most}))`;
  const { numAffectedRows } = await sql`delete from ${named} where org_id = ${org} and ${which}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
