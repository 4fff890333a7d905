import { sql, type RawBuilder } from 'kysely';
import { engineMessages, type MessageFields, type MessageName } from './engine-messages.ts';
import { traceparent } from '../kernel/trace.ts';
import type { Database } from './pool.ts';
import type { Work } from './work.ts';

/** A message for the engine as it stands in the outbox. It names rows; it carries no personal data. */
export interface OutboxMessage {
  readonly service: string;
  readonly handler: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** What is traced as its cause, if anything. */
  readonly traceparent?: string | null;
}

/** Writes a message for the engine, in the transaction that wrote the row it names. */
export async function addToOutbox<Name extends MessageName>(
  work: Pick<Work, 'db' | 'org' | 'now'>,
  name: Name,
  fields: MessageFields<Name>,
): Promise<void> {
  const cause = traceparent();
  await work.db
    .insertInto('outbox')
    .values({
      org_id: work.org,
      service: name,
      handler: engineMessages[name].handler,
      payload: JSON.stringify({ ...fields, org_id: work.org }),
      created_at: work.now,
      ...(cause !== undefined && { traceparent: cause }),
    })
    .execute();
}

/** The same for many rows at once, in the order of `since`: `rows` selects org_id, payload and since. */
export async function addRowsToOutbox(
  db: Database,
  now: Date,
  name: MessageName,
  rows: RawBuilder<unknown>,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into outbox (org_id, service, handler, payload, created_at)
    select r.org_id, ${name}, ${engineMessages[name].handler}, r.payload, ${now} from (${rows}) r
    order by r.since`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/**
 * No row of an earlier transaction is in the outbox, or will be. From the beginning in a database that was restored into
 * another server, where transactions count anew.
 */
export const outboxFrom = sql<number>`(
  select case when outbox_from <= pg_snapshot_xmax(pg_current_snapshot())::text::bigint then outbox_from else 0 end
  from installation)`;
