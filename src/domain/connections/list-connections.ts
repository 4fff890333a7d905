import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { permissions, type Permission } from '../../kernel/caller.ts';
import { ToolConnectionId, UserId } from '../../kernel/ids.ts';
import { pageInput, pageOutput } from '../../kernel/page.ts';

const Connection = z
  .object({
    id: ToolConnectionId,
    user: z.object({ user_id: UserId, email: z.string() }).describe('Who granted it; it acts as that user.'),
    client_name: z.string().nullable().describe('What the client calls itself. Nobody checked it.'),
    client_host: z
      .string()
      .nullable()
      .describe('The host of the document that describes it; null: it registered itself.'),
    redirect_host: z.string().describe('Where the answer went when it was granted last.'),
    permissions: z
      .array(z.enum(permissions))
      .describe("What was granted. Of it, what the user's role does not have is not given."),
    created_at: z.string(),
    granted_at: z.string(),
    ends_at: z.string(),
    last_used_at: z.string().nullable(),
  })
  .meta({ id: 'ToolConnection' });

export const listConnections = defineOperation({
  name: 'list_connections',
  title: 'List tool connections',
  summary:
    "The assistants and other tools that act for users here, the one granted last first: a user's own, and everybody's " +
    'for owners and admins.',
  power: 'leave',
  effect: 'read',
  faces: { rest: ['GET /v1/connections'] },
  input: z.strictObject(pageInput),
  output: z.object({ connections: z.array(Connection), ...pageOutput }),
  handle: async ({ db, org, caller }, { limit, offset }) => {
    let found = db
      .selectFrom('connections as c')
      .innerJoin('members as m', (join) =>
        join.onRef('m.org_id', '=', 'c.org_id').onRef('m.id', '=', 'c.user_id'),
      )
      .where('c.org_id', '=', org)
      .where('c.ends_at', '>', caller.now); // tokens go by the real time
    if (!caller.powers.has('manage_access')) found = found.where('c.user_id', '=', caller.actor.id);
    const { total } = await found
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const rows = await found
      .select(['c.id', 'c.user_id', 'm.email', 'c.client_name', 'c.client_host', 'c.redirect_host'])
      .select(['c.permissions', 'c.created_at', 'c.granted_at', 'c.ends_at', 'c.last_used_at'])
      .orderBy('c.granted_at', 'desc')
      .orderBy('c.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    const connections = rows.map(({ user_id, email, ...row }) => ({
      ...row,
      id: ToolConnectionId.parse(row.id),
      user: { user_id: UserId.parse(user_id), email },
      permissions: row.permissions as Permission[],
      created_at: row.created_at.toISOString(),
      granted_at: row.granted_at.toISOString(),
      ends_at: row.ends_at.toISOString(),
      last_used_at: row.last_used_at?.toISOString() ?? null,
    }));
    return { connections, total: Number(total), limit, offset };
  },
});
