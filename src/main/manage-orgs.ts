import { z } from 'zod';
import { orgTransaction } from '../database/org-transaction.ts';
import type { Database } from '../database/pool.ts';
import { setAllowance } from '../domain/orgs/allowance.ts';
import { createApiKey, revokeApiKey } from '../domain/orgs/api-key.ts';
import { createOrganization } from '../domain/orgs/create-organization.ts';
import { permissions } from '../kernel/caller.ts';
import { systemClock } from '../kernel/clock.ts';
import { OrgId } from '../kernel/ids.ts';
import { answer, readId, say, UsageError, wholeNumber, word, type Values } from './arguments.ts';
import { withDatabase } from './with-database.ts';

/** rostrum org create, rostrum org allow */
export async function manageOrgs(values: Values, [verb]: string[]): Promise<void> {
  if (verb === 'create') return createOrg(values);
  if (verb === 'allow') return allowSending(values);
  throw new UsageError('Say: rostrum org create … or rostrum org allow …');
}

async function createOrg(values: Values): Promise<void> {
  const organization = {
    name: word(values, 'name'),
    mode: values['test'] === true ? ('test' as const) : ('live' as const),
    ...(values['currency'] !== undefined && { currency: word(values, 'currency') }),
  };
  const made = await withDatabase((database) =>
    createOrganization(database, organization, { name: 'first key' }, systemClock.now()),
  );
  answer({ org_id: made.org, key_id: made.keyId, api_key: made.secret });
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

/** rostrum key create, rostrum key revoke */
export async function manageKeys(values: Values, [verb]: string[]): Promise<void> {
  const org = readId(OrgId, values, 'org');
  if (verb === 'create') return createKey(values, org);
  if (verb === 'revoke') return revokeKey(org, readId(z.guid(), values, 'key'));
  throw new UsageError('Say: rostrum key create … or rostrum key revoke …');
}

async function createKey(values: Values, org: OrgId): Promise<void> {
  const now = systemClock.now();
  const days = wholeNumber(values, 'days');
  const key = {
    name: word(values, 'name'),
    ...(values['permissions'] !== undefined && { permissions: readPermissions(word(values, 'permissions')) }),
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

async function requireOrg(db: Database, org: OrgId): Promise<'live' | 'test'> {
  const found = await db.selectFrom('organizations').select('mode').where('id', '=', org).executeTakeFirst();
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

function readPermissions(list: string) {
  const parsed = z.array(z.enum(permissions)).safeParse(list.split(','));
  if (!parsed.success) throw new UsageError(`--permissions takes any of ${permissions.join(', ')}.`);
  return parsed.data;
}
