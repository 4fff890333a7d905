import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import { rememberedAmong } from '../identifiers/suppressed-address.ts';

/** Which of a few addresses nobody may write to, whoever has them: blacklisted, opted out, or remembered as such. */
export async function suppressedAmong(
  work: Work,
  channel: 'email' | 'sms',
  addresses: readonly string[],
): Promise<Set<string>> {
  const { db, org } = work;
  const { rows } = await (
    channel === 'email'
      ? sql<{ address: string }>`
        select email as address from email_blacklist where org_id = ${org} and email = any(${addresses}::text[])
        union
        select i.value from identifiers i
        join opt_outs o on o.org_id = i.org_id and o.person_id = i.person_id and o.email_opt_out
        where i.org_id = ${org} and i.type = 'email' and i.value = any(${addresses}::text[])`
      : sql<{ address: string }>`
        select asked.address from unnest(${addresses}::text[]) asked(address)
        where exists (
          select 1 from gate.people_with_number(asked.address) holder(id)
          join opt_outs o on o.org_id = ${org} and o.person_id = holder.id and o.sms_opt_out)`
  ).execute(db);
  const suppressed = new Set(rows.map(({ address }) => address));
  const type = channel === 'email' ? 'email' : 'phone';
  const remembered = await rememberedAmong(
    work,
    addresses.map((value) => ({ type, value })),
  );
  for (const value of addresses) {
    if (remembered({ type, value })?.[channel] === true) suppressed.add(value);
  }
  return suppressed;
}
