import { z } from 'zod';
import type { Work } from '../../database/work.ts';
import { permissions } from '../../kernel/caller.ts';
import { ApiKeyId, UserId } from '../../kernel/ids.ts';
import { MomentOut, outgoing } from '../../kernel/moment.ts';

/** What can be told of a key: of its secret the first characters alone are kept. */
export const ApiKey = z
  .object({
    api_key_id: ApiKeyId,
    name: z.string(),
    prefix: z.string().describe('The first characters of its secret, to know it by.'),
    permissions: z.array(z.enum(permissions)),
    state: z.enum(['valid', 'expired', 'revoked']),
    created_at: MomentOut,
    created_by: UserId.nullable().describe('The member who made it; null: whoever runs this installation.'),
    expires_at: MomentOut.nullable().describe('null: it does not expire.'),
    last_used_at: MomentOut.nullable().describe('Precise to the minute; null: never.'),
    revoked_at: MomentOut.nullable(),
  })
  .meta({ id: 'ApiKey' });

const columns = [
  'id',
  'name',
  'prefix',
  'permissions',
  'created_at',
  'created_by',
  'expires_at',
  'last_used_at',
  'revoked_at',
] as const;

export const selectKeys = ({ db, org }: Work) =>
  db.selectFrom('api_keys').select(columns).where('org_id', '=', org);

type Row = Awaited<ReturnType<ReturnType<typeof selectKeys>['executeTakeFirstOrThrow']>>;

/** Keys expire by the service's clock, whatever a test organization's shows. */
export const toApiKey = ({ id, ...key }: Row, { caller }: Work): z.input<typeof ApiKey> => ({
  ...key,
  api_key_id: id,
  permissions: permissions.filter((one) => key.permissions.includes(one)),
  state:
    key.revoked_at !== null
      ? 'revoked'
      : key.expires_at !== null && key.expires_at <= caller.now
        ? 'expired'
        : 'valid',
  created_at: key.created_at.toISOString(),
  expires_at: outgoing(key.expires_at),
  last_used_at: outgoing(key.last_used_at),
  revoked_at: outgoing(key.revoked_at),
});
