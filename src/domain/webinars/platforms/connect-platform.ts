import { z } from 'zod';
import { holdOrgLock } from '../../../database/locks.ts';
import { defineOperation } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { newId, type PlatformConnectionId } from '../../../kernel/ids.ts';
import {
  connectionColumns,
  detailsColumns,
  PlatformConnection,
  sealSecrets,
  toConnection,
} from './connection.ts';
import { credentialInputs, misfits, partCredentials } from './credential-fields.ts';
import { PlatformName } from './registry.ts';

const most = 20;

export const connectPlatform = defineOperation({
  name: 'connect_platform',
  title: 'Connect a webinar platform',
  summary:
    'Connect an account at a webinar platform, by the credentials of an OAuth app there. Connecting the same account ' +
    'again replaces its credentials. Webinars are then linked to events of it with link_webinar, and the platform is ' +
    'given webhook_url, if there is one, as the endpoint of its events.',
  permission: 'settings.write',
  effect: 'change',
  creates: ({ created }) => created === true,
  faces: { rest: ['POST /v1/platform-connections'] },
  input: z.strictObject({ platform: PlatformName, ...credentialInputs }).superRefine((sent, ctx) => {
    for (const { field, why } of misfits(sent.platform, sent))
      ctx.addIssue({ code: 'custom', path: [field], message: why });
  }),
  output: z.object({ platform_connection: PlatformConnection, created: z.boolean() }),
  handle: async (work, { platform, ...sent }) => {
    const { db, org, now } = work;
    const { shown, secrets: sealed } = partCredentials(platform, sent);
    const { account_id, ...columns } = detailsColumns(shown);
    // One after another: two at once would both find no connection and both make one.
    await holdOrgLock(work, 'connecting_platform');
    const all = await db
      .selectFrom('platform_connections')
      .select(['id', 'platform', 'account_id'])
      .where('org_id', '=', org)
      .execute();
    const found = all.find((one) => one.platform === platform && one.account_id === account_id);
    if (found === undefined && all.length >= most)
      throw new Failure('invalid_request', `An organization may have ${most} connections; delete one first.`);
    const id = found?.id ?? newId<PlatformConnectionId>(now);
    const secrets = sealSecrets(work.keys.stored, org, id, sealed);
    const written = { ...columns, secrets, trouble: null, trouble_at: null, updated_at: now };
    const row = await db
      .insertInto('platform_connections')
      .values({ org_id: org, id, platform, account_id, created_at: now, ...written })
      .onConflict((conflict) => conflict.columns(['org_id', 'id']).doUpdateSet(written))
      .returning(connectionColumns)
      .executeTakeFirstOrThrow();
    work.touched['connection_id'] = id;
    return { platform_connection: toConnection(work, row), created: found === undefined };
  },
});
