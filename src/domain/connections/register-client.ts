import { z } from 'zod';
import type { Database } from '../../database/pool.ts';
import type { Keyring } from '../../database/work.ts';
import { newId } from '../../kernel/ids.ts';
import { takeAttempt } from '../accounts/attempts.ts';
import type { MustWait } from '../accounts/parts.ts';
import { networkOf } from '../orgs/network-of.ts';
import { shownName, type Client } from './client.ts';
import { isRedirectUri } from './redirect-uri.ts';

const day = 86_400_000;
/** A client that nobody let in is asked for again soon or never. */
const unusedMs = day;
const usedMs = 365 * day;
const goneAtOnce = 20;

/** What a client says of itself; whatever else it says is not heard. */
export const NewClient = z.object({
  client_name: z.unknown().transform(shownName),
  redirect_uris: z
    .array(z.string().refine(isRedirectUri, 'must be https://, or http:// with localhost or 127.0.0.1'))
    .min(1)
    .max(10),
});
export type NewClient = z.infer<typeof NewClient>;

/** Registers a client that asks for it, some an hour from a network. Rows that nobody used go as others come. */
export async function registerClient(
  db: Database,
  keys: Keyring,
  { client, address }: { readonly client: NewClient; readonly address: string },
  now: Date,
): Promise<Client | MustWait> {
  await forgetClients(db, now);
  const seconds = await takeAttempt(db, keys, { kind: 'registration', about: networkOf(address) }, now);
  if (seconds > 0) return { kind: 'wait', seconds };
  const id = newId(now);
  await db
    .insertInto('auth.clients')
    .values({
      id,
      name: client.client_name,
      redirect_uris: client.redirect_uris,
      created_at: now,
      ends_at: new Date(now.getTime() + unusedMs),
    })
    .execute();
  return { id, name: client.client_name, redirectUris: client.redirect_uris, host: null };
}

export async function findRegistered(db: Database, id: string, now: Date): Promise<Client | undefined> {
  const found = await db
    .selectFrom('auth.clients')
    .select(['id', 'name', 'redirect_uris'])
    .where('id', '=', id)
    .where('ends_at', '>', now)
    .executeTakeFirst();
  return found && { id: found.id, name: found.name, redirectUris: found.redirect_uris, host: null };
}

/** A client that somebody let in stays. */
export async function keepClient(db: Database, id: string, now: Date): Promise<void> {
  await db
    .updateTable('auth.clients')
    .set({ ends_at: new Date(now.getTime() + usedMs) })
    .where('id', '=', id)
    .execute();
}

async function forgetClients(db: Database, now: Date): Promise<void> {
  const ended = db
    .selectFrom('auth.clients')
    .select('id')
    .where('ends_at', '<', now)
    .limit(goneAtOnce)
    .forUpdate()
    .skipLocked();
  await db.deleteFrom('auth.clients').where('id', 'in', ended).execute();
}
