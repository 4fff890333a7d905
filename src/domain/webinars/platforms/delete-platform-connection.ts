import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { PlatformConnectionId } from '../../../kernel/ids.ts';
import { connectionNotFound } from './connection.ts';

export const deletePlatformConnection = defineOperation({
  name: 'delete_platform_connection',
  title: 'Delete a platform connection',
  summary:
    'Forget an account at a webinar platform and its secrets. Refused while a webinar is linked to it.',
  permission: 'settings.write',
  effect: 'destroy',
  faces: { rest: ['DELETE /v1/platform-connections/:connection_id'] },
  input: z.strictObject({ connection_id: PlatformConnectionId }),
  output: z.object({ deleted: z.literal(true), connection_id: PlatformConnectionId }),
  handle: async (work, { connection_id }) => {
    const { db, org } = work;
    const held = await db
      .selectFrom('platform_connections')
      .select('id')
      .where('org_id', '=', org)
      .where('id', '=', connection_id)
      .forUpdate()
      .executeTakeFirst();
    if (held === undefined) throw connectionNotFound();
    const { links } = await db
      .selectFrom('platform_links')
      .select((eb) => eb.fn.countAll<number>().as('links'))
      .where('org_id', '=', org)
      .where('connection_id', '=', connection_id)
      .executeTakeFirstOrThrow();
    if (links > 0) {
      const what = links === 1 ? 'A webinar is' : `${links} webinars are`;
      throw new Failure('still_referenced', `${what} linked to an event of this account. Unlink first.`);
    }
    await db
      .deleteFrom('platform_connections')
      .where('org_id', '=', org)
      .where('id', '=', connection_id)
      .execute();
    work.touched['connection_id'] = connection_id;
    return { deleted: true as const, connection_id };
  },
});
