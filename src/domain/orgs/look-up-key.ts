import type { Database } from '../../database/pool.ts';
import { orgTransaction } from '../../database/org-transaction.ts';
import type { Clock } from '../../kernel/clock.ts';
import { findApiKey, type KeyRecord } from './api-key.ts';

const lastUsedEveryMs = 60_000;

/** Finds the key of a secret's hash, if it works now. */
export type LookUpKey = (hash: Buffer) => Promise<KeyRecord | undefined>;

export const keyLookUp =
  (database: Database, clock: Clock, onError: (error: unknown) => void): LookUpKey =>
  async (hash) => {
    const record = await findApiKey(database, hash);
    const now = clock.now();
    if (record === undefined || !isGood(record, now)) return undefined;
    noteUse(database, record, now).catch(onError);
    return record;
  };

export const isGood = ({ revoked_at, expires_at }: KeyRecord, now: Date): boolean =>
  revoked_at === null && (expires_at === null || expires_at > now);

/** Precise to the minute, so that a busy key does not cost a write a call. */
async function noteUse(database: Database, record: KeyRecord, now: Date): Promise<void> {
  if (record.last_used_at !== null && now.getTime() - record.last_used_at.getTime() < lastUsedEveryMs) return;
  await orgTransaction(database, record.org_id, 'write', async (db) => {
    await db
      .updateTable('api_keys')
      .set({ last_used_at: now })
      .where('org_id', '=', record.org_id)
      .where('id', '=', record.key_id)
      .execute();
  });
}
