import type { Work } from './work.ts';

/** A message for the engine, committed with the write that caused it. It names rows; it carries no personal data. */
export interface OutboxMessage {
  readonly service: string;
  readonly handler: string;
  readonly payload: Readonly<Record<string, string>>;
}

export async function addToOutbox(work: Work, message: OutboxMessage): Promise<void> {
  await work.db
    .insertInto('outbox')
    .values({
      org_id: work.org,
      service: message.service,
      handler: message.handler,
      payload: JSON.stringify(message.payload),
      created_at: work.now,
    })
    .execute();
}
