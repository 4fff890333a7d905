import { z } from 'zod';
import type { Keyring, Work } from '../../database/work.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { isSameText } from '../../kernel/same-text.ts';

export const SmsStanding = z
  .object({
    available: z.boolean().describe('Texts can be sent: there is a number, and it is proven.'),
    number: z.string().nullable(),
    proof: z
      .string()
      .nullable()
      .describe('Send this text to the number, from any phone, to prove that it is yours. Null: no need.'),
  })
  .meta({ id: 'SmsStanding' });

export async function readSmsStanding(work: Work): Promise<z.input<typeof SmsStanding>> {
  const row = await work.db
    .selectFrom('sms_numbers')
    .select(['number', 'proven_at'])
    .where('org_id', '=', work.org)
    .executeTakeFirst();
  if (row === undefined) return { available: false, number: null, proof: null };
  const available = row.proven_at !== null || work.caller.mode === 'test';
  return {
    available,
    number: row.number,
    proof: available ? null : proofOf(work.keys, work.org, row.number),
  };
}

/** The number texts come from, in E.164, if there is one that may be used. */
export async function readSmsNumber(work: Work): Promise<string | undefined> {
  const { available, number } = await readSmsStanding(work);
  return available && number !== null ? number : undefined;
}

/** The text that proves a number: its sender got it here, and reached us by that number. */
export function proofOf(keys: Pick<Keyring, 'mac'>, org: OrgId, number: string): string {
  return written(keys.mac(purpose, Buffer.from(`${org} ${number}`)));
}

export function isProof(keys: Pick<Keyring, 'macs'>, org: OrgId, number: string, text: string): boolean {
  const said = text.trim().replace(/\s+/g, ' ').toUpperCase();
  return keys.macs(purpose, Buffer.from(`${org} ${number}`)).some((mac) => isSameText(said, written(mac)));
}

const purpose = 'text number';
const written = (mac: Buffer): string =>
  `ROSTRUM ${String(mac.readBigUInt64BE() % 10n ** 12n).padStart(12, '0')}`;
