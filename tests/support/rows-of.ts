import { tenantTables } from './furnish.ts';
import type { TestOrg } from './test-org.ts';
import type { World } from './world.ts';

/** What there is of an organization, by table. */
export async function rowsOf({ admin }: World, org: TestOrg): Promise<Record<string, number>> {
  const counted = (await tenantTables(admin)).map((table) => {
    const column = table === 'organizations' ? 'id' : 'org_id';
    return `select '${table}' as name, count(*)::int as n from ${table} where ${column} = '${org.id}'`;
  });
  const { rows } = await admin.query<{ name: string; n: number }>(counted.join(' union all '));
  return Object.fromEntries(rows.filter(({ n }) => n > 0).map(({ name, n }) => [name, n]));
}
