import { z } from 'zod';
import { defineOperation, type Work } from '../../database/work.ts';
import { permissions, type Permission } from '../../kernel/caller.ts';
import { Failure, invalidRequest } from '../../kernel/failure.ts';
import { Moment } from '../../kernel/moment.ts';
import { createApiKey, defaultPermissions } from '../orgs/api-key.ts';
import { ApiKey, selectKeys, toApiKey } from '../orgs/listed-key.ts';
import { requireManager } from './hold-members.ts';

const mostKeys = 100;

export const createKey = defineOperation({
  name: 'create_api_key',
  title: 'Make an API key',
  summary:
    'Make an API key. Its secret is in this answer and never shown again. It may do no more than who makes it. Without ' +
    'permissions it gets all of those but settings.write.',
  permission: 'settings.write',
  power: 'manage_access',
  effect: 'add',
  faces: { rest: ['POST /v1/api-keys'] },
  creates: true,
  shownOnce: 'secret',
  input: z.strictObject({
    name: z.string().trim().min(1).max(200).describe('What it is for.'),
    permissions: z.array(z.enum(permissions)).min(1).max(permissions.length).optional(),
    expires_at: Moment.optional().describe('Without it the key does not expire.'),
  }),
  output: z.object({
    api_key: ApiKey,
    secret: z
      .string()
      .nullable()
      .describe('Keep it: it is not shown again. null in the answer to a repeated request.'),
  }),
  handle: async (work, { name, permissions: wanted, expires_at: expiresAt }) => {
    const { db, org, caller } = work;
    await requireManager(work);
    if (expiresAt !== undefined && expiresAt <= caller.now)
      throw refuse('/expires_at', 'past', 'Must be in the future.');
    const given = wanted ?? defaultPermissions.filter((one) => caller.permissions.has(one));
    refuseMore(work, given);
    await refuseTooMany(work);
    const key = { name, permissions: [...new Set(given)], expiresAt, createdBy: caller.actor.id };
    const made = await createApiKey(db, { id: org, mode: caller.mode }, key, caller.now);
    work.touched['api_key_id'] = made.id;
    const row = await selectKeys(work).where('id', '=', made.id).executeTakeFirstOrThrow();
    return { api_key: toApiKey(row, work), secret: made.secret };
  },
});

function refuseMore({ caller }: Work, given: readonly Permission[]): void {
  const more = given.filter((one) => !caller.permissions.has(one));
  if (more.length > 0)
    throw new Failure('forbidden', `You cannot give what you do not have: ${more.join(', ')}.`);
}

async function refuseTooMany({ db, org, caller }: Work): Promise<void> {
  const { count } = await db
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', org)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', caller.now)]))
    .executeTakeFirstOrThrow();
  if (Number(count) >= mostKeys)
    throw refuse('', 'too_many', `An organization has ${mostKeys} valid keys at most. Revoke one first.`);
}

const refuse = (pointer: string, code: string, detail: string): Failure =>
  invalidRequest([{ pointer, code, detail }]);
