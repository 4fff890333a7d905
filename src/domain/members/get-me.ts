import { z } from 'zod';
import { defineOperation, type Work } from '../../database/work.ts';
import { permissions } from '../../kernel/caller.ts';
import { ApiKeyId, OrgId, UserId } from '../../kernel/ids.ts';
import { organizationsOf } from './find-signed-in.ts';
import { MemberRole } from './member.ts';

const Organization = z.object({ org_id: OrgId, name: z.string(), mode: z.enum(['live', 'test']) });

export const getMe = defineOperation({
  name: 'get_me',
  title: 'Tell who is calling',
  summary:
    'Which organization this credential acts in, whether that is a live or a test one, on whose behalf, and what it may do.',
  effect: 'read',
  faces: { rest: ['GET /v1/me'] },
  input: z.strictObject({}),
  output: z.object({
    organization: Organization.extend({ currency: z.string() }),
    api_key: z.object({ api_key_id: ApiKeyId, name: z.string() }).nullable().describe('null for a user.'),
    user: z.object({ user_id: UserId, email: z.string() }).nullable().describe('null for an API key.'),
    role: MemberRole.nullable().describe("The user's role here; null for an API key."),
    permissions: z.array(z.enum(permissions)),
    manages_access: z.boolean().describe('Whether it may manage keys and members.'),
    organizations: z
      .array(Organization.extend({ role: MemberRole }))
      .describe('Every organization of a user who is signed in, to choose from. Empty for others.'),
  }),
  handle: async (work) => {
    const { caller } = work;
    const isSession = caller.actor.kind === 'user' && caller.connection === undefined;
    const organizations = isSession ? await organizationsOf(work.db, caller.actor.id) : [];
    return {
      organization: await readOrganization(work),
      api_key: caller.actor.kind === 'api_key' ? await readKey(work) : null,
      user: caller.actor.kind === 'user' ? await readUser(work) : null,
      role: caller.role ?? null,
      permissions: permissions.filter((one) => caller.permissions.has(one)),
      manages_access: caller.powers.has('manage_access'),
      organizations: organizations.map(({ org_id, name, mode, role }) => ({ org_id, name, mode, role })),
    };
  },
});

async function readOrganization({ db, org, caller: { mode, currency } }: Work) {
  const { name } = await db
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', org)
    .executeTakeFirstOrThrow();
  return { org_id: org, name, mode, currency };
}

const readKey = ({ db, org, caller }: Work) =>
  db
    .selectFrom('api_keys')
    .select(['id as api_key_id', 'name'])
    .where('org_id', '=', org)
    .where('id', '=', caller.actor.id)
    .executeTakeFirstOrThrow();

const readUser = async ({ db, org, caller }: Work) =>
  (await db
    .selectFrom('members')
    .select(['id as user_id', 'email'])
    .where('org_id', '=', org)
    .where('id', '=', caller.actor.id)
    .executeTakeFirst()) ?? null;
