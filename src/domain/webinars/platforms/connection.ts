import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { PlatformConnections } from '../../../database/tables.generated.ts';
import type { Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { PlatformConnectionId, type OrgId } from '../../../kernel/ids.ts';
import { MomentOut, outgoing } from '../../../kernel/moment.ts';
import type { Sealer } from '../../../kernel/sealer.ts';
import type { Account } from './connector.ts';
import { shownFields, type Fields } from './credential-fields.ts';
import { platformOf, PlatformName } from './registry.ts';

export const PlatformConnection = z
  .object({
    id: PlatformConnectionId,
    platform: PlatformName,
    ...shownFields,
    webhook_url: z
      .string()
      .nullable()
      .describe('Where the platform is to send its events; null for one that is not listened to.'),
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

/** What may be read of a connection: all but the sealed secrets. */
export const connectionColumns = [
  'id',
  'platform',
  'account_id',
  'details',
  'trouble',
  'trouble_at',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof Row)[];

type Shown = Pick<Row, 'account_id' | 'details'>;

/** The account's credentials that are not secret. */
const shownOf = ({ account_id, details }: Shown): Fields & { account_id: string } => ({
  ...(details as Fields),
  account_id,
});

export const detailsColumns = ({ account_id = '', ...details }: Fields) => ({
  account_id,
  details: JSON.stringify(details),
});

export const toConnection = (
  { org, mail }: Work,
  row: Pick<Row, (typeof connectionColumns)[number]>,
): z.input<typeof PlatformConnection> => ({
  id: row.id as PlatformConnectionId,
  platform: PlatformName.parse(row.platform),
  ...shownOf(row),
  // Names the organization, so that finding the connection needs no look behind the tenant wall.
  webhook_url:
    platformOf(row.platform).webhook === 'none'
      ? null
      : `${mail.publicUrl}/webhooks/${row.platform}/${org}/${row.id}`,
  trouble: row.trouble,
  trouble_at: outgoing(row.trouble_at),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const Secrets = z.record(z.string(), z.string());

/** Secrets sealed for one connection of one organization open for no other. */
const placeOf = (org: OrgId, connection: string): string => `platform connection of ${org} ${connection}`;

export const sealSecrets = (stored: Sealer, org: OrgId, connection: string, secrets: Fields): Buffer =>
  stored.seal(JSON.stringify(secrets), placeOf(org, connection));

export function openSecrets(stored: Sealer, org: OrgId, row: Pick<Row, 'id' | 'secrets'>): Fields {
  const opened = stored.open(row.secrets, placeOf(org, row.id));
  if (opened === undefined) throw new Error(`the secrets of platform connection ${row.id} cannot be opened`);
  return Secrets.parse(JSON.parse(opened.toString('utf8')));
}

/** The columns needed to open an account. */
export const accountColumns = ['id', 'platform', 'account_id', 'details', 'secrets'] as const;
export type AccountRow = Pick<Row, (typeof accountColumns)[number]>;

/** Requires every credential the platform asks for, so that a row without one never reaches a call. */
export function accountOf(stored: Sealer, org: OrgId, row: AccountRow): Account {
  const credentials: Fields = { ...openSecrets(stored, org, row), ...shownOf(row) };
  const missing = Object.keys(platformOf(row.platform).credentials).find((field) => !credentials[field]);
  if (missing !== undefined) throw new Error(`platform connection ${row.id} has no ${missing}`);
  return { id: row.id, credentials };
}

export const connectionNotFound = (): Failure =>
  new Failure('not_found', 'No platform connection with this id exists in this organization.');
