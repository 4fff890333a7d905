import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { Failure } from '../../kernel/failure.ts';
import { ToolConnectionId } from '../../kernel/ids.ts';

export const endConnection = defineOperation({
  name: 'end_connection',
  title: 'End a tool connection',
  summary:
    'Take back what a tool may do. It ends on every device within a second; to come back, the tool has to ask again. ' +
    "Users end their own, owners and admins anybody's.",
  power: 'leave',
  effect: 'destroy',
  evenSuspended: true,
  faces: { rest: ['DELETE /v1/connections/:tool_connection_id'] },
  input: z.strictObject({ tool_connection_id: ToolConnectionId }),
  output: z.object({ ended: z.literal(true), tool_connection_id: ToolConnectionId }),
  handle: async ({ db, org, caller, touched }, { tool_connection_id }) => {
    let ours = db.deleteFrom('connections').where('org_id', '=', org).where('id', '=', tool_connection_id);
    if (!caller.powers.has('manage_access')) ours = ours.where('user_id', '=', caller.actor.id);
    const { numDeletedRows } = await ours.executeTakeFirst();
    if (numDeletedRows === 0n)
      throw new Failure('not_found', 'There is no such connection, or it has ended.');
    touched['tool_connection_id'] = tool_connection_id;
    return { ended: true as const, tool_connection_id };
  },
});
