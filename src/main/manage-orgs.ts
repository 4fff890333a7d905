import { z } from 'zod';
import { orgTransaction } from '../database/org-transaction.ts';
import type { Database } from '../database/pool.ts';
import { setAllowance } from '../domain/orgs/allowance.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '../domain/orgs/api-key.ts';
import { createOrganization } from '../domain/orgs/create-organization.ts';
import { listOrganizations } from '../domain/orgs/list-organizations.ts';
import { permissions, type Permission } from '../kernel/caller.ts';
import { systemClock } from '../kernel/clock.ts';
import { OrgId } from '../kernel/ids.ts';
import { outgoing } from '../kernel/moment.ts';
import { changeOrg } from './change-org.ts';
import { answer, readId, say, UsageError, wholeNumber, word, type Values } from './arguments.ts';
import { giveTo, readOwner, transferOrg } from './org-owner.ts';
import { withDatabase } from './with-database.ts';

/** rostrum org create, list, transfer, allow, route, suspend, resume and delete */
export async function manageOrgs(values: Values, [verb, org]: string[]): Promise<void> {
  if (verb === 'create') return createOrg(values);
  if (verb === 'list') return listOrgs();
  if (verb === 'transfer') return transferOrg(org, values);
  if (verb === 'allow') return allowSending(values);
  if (verb === 'route') return (await import('./manage-routes.ts')).routeOrg(org, values);
  if (verb === 'suspend' || verb === 'resume' || verb === 'delete') return changeOrg(verb, org, values);
  throw new UsageError('Say: rostrum org create, list, transfer, allow, route, suspend, resume or delete.');
}

async function createOrg(values: Values): Promise<void> {
  const organization = {
    name: word(values, 'name'),
    mode: values['test'] === true ? ('test' as const) : ('live' as const),
    ...(values['currency'] !== undefined && { currency: word(values, 'currency') }),
  };
  const key = { name: 'first key', ...permissionsOf(values) };
  const made = await withDatabase(async (database) => {
    const owner = values['owner'] === undefined ? undefined : await readOwner(database, values, 'owner');
    const created = await createOrganization(database, organization, key, systemClock.now());
    if (owner !== undefined) await giveTo(database, created.org, owner);
    return created;
  });
  answer({ org_id: made.org, key_id: made.keyId, api_key: made.secret });
}

/** A line each, so that a script can read them one by one. */
async function listOrgs(): Promise<void> {
  for (const { id, created_at, ...organization } of await withDatabase(listOrganizations))
    answer({ org_id: id, ...organization, created_at: created_at.toISOString() });
}

async function allowSending(values: Values): Promise<void> {
  const org = readId(OrgId, values, 'org');
  const channel = z.enum(['email', 'sms']).safeParse(values['channel']);
  if (!channel.success) throw new UsageError('--channel takes email or sms.');
  const perMonth = wholeNumber(values, 'per-month') ?? null;
  await withDatabase((database) =>
    orgTransaction(database, org, 'write', async (db) => {
      await requireOrg(db, org);
      await setAllowance(db, org, channel.data, perMonth);
    }),
  );
  answer({ org_id: org, channel: channel.data, per_month: perMonth });
}

/** rostrum key create, list and revoke */
export async function manageKeys(values: Values, [verb]: string[]): Promise<void> {
  const org = readId(OrgId, values, 'org');
  if (verb === 'create') return createKey(values, org);
  if (verb === 'list') return listKeys(org);
  if (verb === 'revoke') return revokeKey(org, readId(z.guid(), values, 'key'));
  throw new UsageError('Say: rostrum key create …, rostrum key list … or rostrum key revoke …');
}

async function createKey(values: Values, org: OrgId): Promise<void> {
  const now = systemClock.now();
  const days = wholeNumber(values, 'days');
  const key = {
    name: word(values, 'name'),
    ...permissionsOf(values),
    ...(days !== undefined && { expiresAt: new Date(now.getTime() + days * 86_400_000) }),
  };
  const made = await withDatabase((database) =>
    orgTransaction(database, org, 'write', async (db) => {
      const mode = await requireOrg(db, org);
      return createApiKey(db, { id: org, mode }, key, now);
    }),
  );
  answer({ org_id: org, key_id: made.id, api_key: made.secret });
}

async function listKeys(org: OrgId): Promise<void> {
  const now = systemClock.now();
  const keys = await withDatabase((database) =>
    orgTransaction(database, org, 'read', async (db) => {
      await requireOrg(db, org);
      return listApiKeys(db, org);
    }),
  );
  for (const key of keys) {
    const isOver = key.expires_at !== null && key.expires_at <= now;
    answer({
      key_id: key.id,
      name: key.name,
      state: key.revoked_at !== null ? 'revoked' : isOver ? 'expired' : 'valid',
      permissions: key.permissions,
      created_at: outgoing(key.created_at),
      expires_at: outgoing(key.expires_at),
      last_used_at: outgoing(key.last_used_at),
      revoked_at: outgoing(key.revoked_at),
    });
  }
}

async function requireOrg(db: Database, org: OrgId): Promise<'live' | 'test'> {
  const found = await db
    .selectFrom('organizations')
    .select('mode')
    .where('id', '=', org)
    .where('state', '<>', 'deleting')
    .executeTakeFirst();
  if (found === undefined) throw new UsageError('There is no organization with this id.');
  return found.mode as 'live' | 'test';
}

async function revokeKey(org: OrgId, id: string): Promise<void> {
  const ended = await withDatabase((database) =>
    orgTransaction(database, org, 'write', (db) => revokeApiKey(db, org, id, systemClock.now())),
  );
  if (!ended) throw new UsageError('This organization has no such key that is still valid.');
  say('Revoked.');
}

/** The permissions of a key, if given: `all` is every permission, changing settings included. */
function permissionsOf(values: Values): { permissions?: readonly Permission[] } {
  if (values['permissions'] === undefined) return {};
  const list = word(values, 'permissions');
  if (list === 'all') return { permissions };
  const parsed = z.array(z.enum(permissions)).safeParse(list.split(','));
  if (!parsed.success) throw new UsageError(`--permissions takes all, or any of ${permissions.join(', ')}.`);
  return { permissions: parsed.data };
}
