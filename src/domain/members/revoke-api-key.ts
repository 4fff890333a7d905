import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { Failure } from '../../kernel/failure.ts';
import { ApiKeyId } from '../../kernel/ids.ts';
import { revokeApiKey } from '../orgs/api-key.ts';
import { ApiKey, selectKeys, toApiKey } from '../orgs/listed-key.ts';
import { requireManager } from './hold-members.ts';

export const revokeKey = defineOperation({
  name: 'revoke_api_key',
  title: 'Revoke an API key',
  summary: 'End an API key for good. It works nowhere a second later.',
  permission: 'settings.write',
  power: 'manage_access',
  effect: 'destroy',
  evenSuspended: true, // what was lost can be ended
  repeatable: true,
  faces: { rest: ['DELETE /v1/api-keys/:api_key_id'] },
  input: z.strictObject({ api_key_id: ApiKeyId }),
  output: z.object({ api_key: ApiKey }),
  handle: async (work, { api_key_id }) => {
    await requireManager(work);
    if (await revokeApiKey(work.db, work.org, api_key_id, work.caller.now))
      work.touched['api_key_id'] = api_key_id;
    const row = await selectKeys(work).where('id', '=', api_key_id).executeTakeFirst();
    if (row === undefined) throw new Failure('not_found', 'There is no such API key.');
    return { api_key: toApiKey(row, work) };
  },
});
