import type { Database } from '../../database/pool.ts';
import { orgTransaction } from '../../database/org-transaction.ts';
import type { Clock } from '../../kernel/clock.ts';
import { findApiKey, type KeyRecord } from './api-key.ts';

const believedForMs = 500; // revoking must work within a second on every process
const mostBelieved = 10_000;
const lastUsedEveryMs = 60_000;

export type Authenticate = (secret: string) => Promise<KeyRecord | undefined>;

/** Answers who holds a secret, asking the database at most twice a second for each. */
export function authenticator(
  database: Database,
  clock: Clock,
  onError: (error: unknown) => void,
): Authenticate {
  const believed = new Map<
    string,
    { readonly until: number; readonly record: Promise<KeyRecord | undefined> }
  >();

  async function look(secret: string): Promise<KeyRecord | undefined> {
    const record = await findApiKey(database, secret);
    if (record !== undefined) noteUse(database, record, clock.now()).catch(onError);
    return record;
  }

  return async (secret) => {
    const now = clock.now().getTime();
    let entry = believed.get(secret);
    if (entry === undefined || entry.until <= now) {
      if (believed.size >= mostBelieved) believed.clear();
      entry = { until: now + believedForMs, record: look(secret) };
      entry.record.catch(() => believed.delete(secret));
      believed.set(secret, entry);
    }
    const record = await entry.record;
    if (record === undefined || record.revoked_at !== null) return undefined;
    if (record.expires_at !== null && record.expires_at.getTime() <= now) return undefined;
    return record;
  };
}

/** Kept to the minute, so that a busy key does not cost a write a call. */
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
