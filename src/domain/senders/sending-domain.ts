import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { SendingDomains } from '../../database/tables.generated.ts';
import type { Work } from '../../database/work.ts';
import { Failure } from '../../kernel/failure.ts';
import { SendingDomainId } from '../../kernel/ids.ts';
import { MomentOut, outgoing } from '../../kernel/moment.ts';
import { purposes, reasonOf, wantedRecords, type DomainKeys, type Findings } from './domain-records.ts';

export const SendingDomain = z
  .object({
    id: SendingDomainId,
    domain: z.string(),
    verified: z.boolean(),
    verified_at: MomentOut.nullable().describe('Since when all four records are right.'),
    checked_at: MomentOut.nullable(),
    checking: z.boolean().describe('A check is due or under way.'),
    records: z
      .array(
        z.object({
          purpose: z.enum(purposes),
          type: z.enum(['TXT', 'CNAME']),
          host: z.string(),
          value: z.string().describe('What to publish; for dmarc a suggestion.'),
          status: z.enum(['unchecked', 'found', 'missing', 'wrong', 'unreachable']),
          detail: z.string().nullable().describe('What the last check met.'),
        }),
      )
      .describe('What to publish in DNS, and how the last check found it.'),
    created_at: MomentOut,
  })
  .meta({ id: 'SendingDomain' });

/** Without the private key, which nothing here has use for. */
export const domainColumns = [
  'id',
  'domain',
  'ownership_token',
  'dkim_selector',
  'dkim_public_key',
  'records',
  'verified_at',
  'checked_at',
  'next_check_at',
  'created_at',
] as const satisfies readonly (keyof SendingDomains)[];

export type DomainRow = Pick<Selectable<SendingDomains>, (typeof domainColumns)[number]>;

export function toSendingDomain(work: Work, row: DomainRow): z.input<typeof SendingDomain> {
  const wanted = wantedRecords(row, work.mail.returnPathHost);
  const findings = findingsOf(row);
  return {
    id: row.id as SendingDomainId,
    domain: row.domain,
    verified: row.verified_at !== null,
    verified_at: outgoing(row.verified_at),
    checked_at: outgoing(row.checked_at),
    checking: row.next_check_at <= work.caller.now,
    records: purposes.map((purpose) => ({
      purpose,
      ...wanted[purpose],
      ...(findings[purpose] ?? { status: 'unchecked' as const, detail: null }),
    })),
    created_at: row.created_at.toISOString(),
  };
}

/** Why nothing can be sent from a domain, or null when it can. */
export const notReadyReason = (
  work: Work,
  row: DomainKeys & Pick<DomainRow, 'records' | 'verified_at'>,
): string | null =>
  row.verified_at === null ? reasonOf(wantedRecords(row, work.mail.returnPathHost), findingsOf(row)) : null;

const findingsOf = (row: Pick<DomainRow, 'records'>): Partial<Findings> =>
  row.records as unknown as Partial<Findings>;

export async function requireDomain(work: Work, id: SendingDomainId, hold?: 'hold'): Promise<DomainRow> {
  const row = await work.db
    .selectFrom('sending_domains')
    .select(domainColumns)
    .where('org_id', '=', work.org)
    .where('id', '=', id)
    .$if(hold === 'hold', (query) => query.forUpdate())
    .executeTakeFirst();
  if (row === undefined) {
    throw new Failure('not_found', 'No sending domain with this id exists in this organization.');
  }
  return row;
}
