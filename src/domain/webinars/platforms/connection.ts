import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { PlatformConnections } from '../../../database/tables.generated.ts';
import type { Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { PlatformConnectionId, type OrgId } from '../../../kernel/ids.ts';
import { MomentOut, outgoing } from '../../../kernel/moment.ts';
import type { Sealer } from '../../../kernel/sealer.ts';
import type { Account } from './connector.ts';

export const Platform = z.enum(['zoom']);

export const PlatformConnection = z
  .object({
    id: PlatformConnectionId,
    platform: Platform,
    account_id: z.string(),
    client_id: z.string(),
    webhook_url: z.string().describe('Where the platform is to send its events.'),
    trouble: z
      .string()
      .nullable()
      .describe('Why the platform last turned this account away; null when it last did not.'),
    trouble_at: MomentOut.nullable(),
    created_at: MomentOut,
    updated_at: MomentOut,
  })
  .meta({ id: 'PlatformConnection' });

type Row = Selectable<PlatformConnections>;

/** Everything of a connection but what is sealed. */
export const connectionColumns = [
  'id',
  'platform',
  'account_id',
  'client_id',
  'trouble',
  'trouble_at',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof Row)[];

export const toConnection = (
  { org, mail }: Work,
  row: Pick<Row, (typeof connectionColumns)[number]>,
): z.input<typeof PlatformConnection> => ({
  id: row.id as PlatformConnectionId,
  platform: row.platform as 'zoom',
  account_id: row.account_id,
  client_id: row.client_id,
  // With the organization in it: whose connection it is needs no look behind the wall.
  webhook_url: `${mail.publicUrl}/webhooks/${row.platform}/${org}/${row.id}`,
  trouble: row.trouble,
  trouble_at: outgoing(row.trouble_at),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const Secrets = z.object({ client_secret: z.string(), webhook_secret_token: z.string() });
export type Secrets = z.infer<typeof Secrets>;

/** Sealed for one connection of one organization, they open for no other. */
const placeOf = (org: OrgId, connection: string): string => `platform connection of ${org} ${connection}`;

export const sealSecrets = (stored: Sealer, org: OrgId, connection: string, secrets: Secrets): Buffer =>
  stored.seal(JSON.stringify(secrets), placeOf(org, connection));

export function openSecrets(stored: Sealer, org: OrgId, row: Pick<Row, 'id' | 'secrets'>): Secrets {
  const opened = stored.open(row.secrets, placeOf(org, row.id));
  if (opened === undefined) throw new Error(`the secrets of platform connection ${row.id} cannot be opened`);
  return Secrets.parse(JSON.parse(opened.toString('utf8')));
}

export const accountOf = (
  stored: Sealer,
  org: OrgId,
  row: Pick<Row, 'id' | 'account_id' | 'client_id' | 'secrets'>,
): Account => ({
  id: row.id,
  accountId: row.account_id,
  clientId: row.client_id,
  clientSecret: openSecrets(stored, org, row).client_secret,
});

export const connectionNotFound = (): Failure =>
  new Failure('not_found', 'No platform connection with this id exists in this organization.');
