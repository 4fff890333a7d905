import { sql } from 'kysely';
import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { newId, type PlatformConnectionId } from '../../../kernel/ids.ts';
import { connectionColumns, Platform, PlatformConnection, sealSecrets, toConnection } from './connection.ts';

const most = 20;
const turns = 7_402_121; // any fixed number that no other lock has

/** As platforms print them: anything that can be seen, without spaces. */
const credential = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[\x21-\x7e]+$/, 'Takes visible ASCII characters.');

export const connectPlatform = defineOperation({
  name: 'connect_platform',
  title: 'Connect a webinar platform',
  summary:
    'Connect an account at a webinar platform, by the credentials of a server-to-server OAuth app there. Connecting the ' +
    'same account again replaces its credentials. Webinars are then linked to events of it with link_webinar, and the ' +
    'platform is given webhook_url as the endpoint of its events.',
  permission: 'settings.write',
  effect: 'change',
  creates: ({ created }) => created === true,
  faces: { rest: ['POST /v1/platform-connections'] },
  input: z.strictObject({
    platform: Platform,
    account_id: credential,
    client_id: credential,
    client_secret: credential.describe('Kept sealed, and never shown again.'),
    webhook_secret_token: credential.describe('What the platform signs its events with. Kept sealed too.'),
  }),
  output: z.object({ platform_connection: PlatformConnection, created: z.boolean() }),
  handle: async (work, { platform, account_id, client_id, client_secret, webhook_secret_token }) => {
    const { db, org, now } = work;
    // One after another: two at once would both find no connection and both make one.
    await sql`select pg_advisory_xact_lock(${turns}, hashtext(${org}))`.execute(db);
    const all = await db
      .selectFrom('platform_connections')
      .select(['id', 'platform', 'account_id'])
      .where('org_id', '=', org)
      .execute();
    const found = all.find((one) => one.platform === platform && one.account_id === account_id);
    if (found === undefined && all.length >= most)
      throw new Failure('invalid_request', `An organization may have ${most} connections; delete one first.`);
    const id = found?.id ?? newId<PlatformConnectionId>(now);
    const secrets = sealSecrets(work.keys.stored, org, id, { client_secret, webhook_secret_token });
    const written = { client_id, secrets, trouble: null, trouble_at: null, updated_at: now };
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
