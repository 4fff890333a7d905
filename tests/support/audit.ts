import type { TestOrg } from './test-org.ts';
import type { World } from './world.ts';

/** What the audit log of an organization says of an operation, oldest first. */
export async function auditOf(
  world: World,
  org: TestOrg,
  operation: string,
): Promise<{ ids: Record<string, unknown>; reason: string | null; actor_id: string }[]> {
  const { rows } = await world.admin.query(
    'select ids, reason, actor_id from audit_log where org_id = $1 and operation = $2 order by id',
    [org.id, operation],
  );
  return rows;
}
