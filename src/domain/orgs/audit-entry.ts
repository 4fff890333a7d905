import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { Work } from '../../database/work.ts';
import { firstIdAt } from '../../kernel/ids.ts';
import { MomentOut } from '../../kernel/moment.ts';

export const AuditEntry = z
  .object({
    entry_id: z.guid(),
    at: MomentOut,
    operation: z.string(),
    actor: z.object({ kind: z.enum(['api_key', 'user', 'service']), id: z.string() }),
    connection_id: z
      .guid()
      .nullable()
      .describe('The tool connection by which the user acted; null for others.'),
    face: z.string().describe('rest, mcp, account, public, cli or engine.'),
    address: z.string().nullable().describe('Where the call came from.'),
    ids: z.record(z.string(), z.union([z.string(), z.array(z.string())])).describe('What was changed.'),
    reason: z.string().nullable(),
    request_id: z.string(),
  })
  .meta({ id: 'AuditEntry' });

export interface AuditRow {
  readonly id: string;
  readonly at: Date;
  readonly operation: string;
  readonly actor_kind: 'api_key' | 'user' | 'service';
  readonly actor_id: string;
  readonly connection_id: string | null;
  readonly face: string;
  readonly address: string | null;
  readonly ids: Record<string, string | string[]>;
  readonly reason: string | null;
  readonly request_id: string;
  /** Whether all filters hold. */
  readonly matches: boolean;
}

export const toEntry = (row: AuditRow): z.input<typeof AuditEntry> => ({
  entry_id: row.id,
  at: row.at.toISOString(),
  operation: row.operation,
  actor: { kind: row.actor_kind, id: row.actor_id },
  connection_id: row.connection_id,
  face: row.face,
  address: row.address,
  ids: row.ids,
  reason: row.reason,
  request_id: row.request_id,
});

export interface AuditFilters {
  readonly actor_id?: string | undefined;
  readonly operation?: string | undefined;
  readonly object_id?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly cursor?: string | undefined;
}

/** The highest id there can be. */
const end = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The next rows by one filter, which an index has; whether the others hold too is told of each. */
export async function readEntries(
  { db, org }: Work,
  { actor_id, operation, object_id, from, to, cursor }: AuditFilters,
  size: number,
): Promise<AuditRow[]> {
  const [before = end] = [cursor?.toLowerCase() ?? end, to === undefined ? end : firstIdAt(to)].toSorted();
  const found: RawBuilder<unknown> =
    object_id !== undefined
      ? sql`id in (select gate.audit_of_object(${object_id}, ${before}, ${size}))`
      : operation !== undefined
        ? sql`operation = ${operation}`
        : actor_id !== undefined
          ? sql`actor_id = ${actor_id}`
          : sql`true`;
  const { rows } = await sql<AuditRow>`
    select id, at, operation, actor_kind, actor_id, connection_id, face, host(address) as address, ids, reason, request_id,
      (${actor_id ?? null}::text is null or actor_id = ${actor_id ?? null})
        and (${operation ?? null}::text is null or operation = ${operation ?? null}) as matches
    from audit_log
    where org_id = ${org} and ${found} and id < ${before} and id >= ${firstIdAt(from ?? new Date(0))}
    order by id desc limit ${size}`.execute(db);
  return rows;
}
