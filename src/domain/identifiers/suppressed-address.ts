import { sql } from 'kysely';
import type { PersonId } from '../../kernel/ids.ts';
import type { Work } from '../../database/work.ts';
import { toE164 } from './phone-number.ts';

interface Address {
  readonly type: string;
  readonly value: string;
}

const channels: Readonly<Record<string, 'email' | 'sms'>> = { email: 'email', phone: 'sms' };

/** A number is remembered as it is dialed: written another way, it is the same. */
const remembered = (address: string): string => toE164(address) ?? address;

/** Also as it was written, which is how it was remembered once. */
const hashesOf = ({ keys }: Work, addresses: readonly string[]): Buffer[] =>
  [...new Set(addresses.flatMap((address) => [address, remembered(address)]))].map(keys.hashAddress);

/**
 * Whoever was deleted while suppressed left a keyed hash of each address, and so did those who opted out of texts
 * without being known here. A person who brings such an address is opted out at once, so that no import or form can
 * undo an opt-out.
 */
export async function restoreSuppression(
  work: Work,
  person: PersonId,
  attached: readonly Address[],
): Promise<void> {
  const hashes = hashesOf(
    work,
    attached.filter(({ type }) => type in channels).map(({ value }) => value),
  );
  if (hashes.length === 0) return;
  await sql`
    insert into opt_outs as o (org_id, person_id, email_opt_out, sms_opt_out, updated_at)
    select ${work.org}, ${person}, bool_or(channel = 'email'), bool_or(channel = 'sms'), ${work.now}
    from suppressed_addresses
    where org_id = ${work.org} and address_hash = any(${hashes}::bytea[])
    having count(*) > 0
    on conflict (org_id, person_id) do update set
      email_opt_out = o.email_opt_out or excluded.email_opt_out,
      sms_opt_out = o.sms_opt_out or excluded.sms_opt_out,
      updated_at = excluded.updated_at`.execute(work.db);
}

/** Which of many addresses are remembered, so that only whoever brings one of these needs more. */
export async function rememberedAmong(work: Work, addresses: readonly Address[]): Promise<Set<string>> {
  const values = addresses.filter(({ type }) => type in channels).map(({ value }) => value);
  if (values.length === 0) return new Set();
  const rows = await work.db
    .selectFrom('suppressed_addresses')
    .select('address_hash')
    .where('org_id', '=', work.org)
    .where('address_hash', 'in', hashesOf(work, values))
    .execute();
  if (rows.length === 0) return new Set();
  const known = new Set(rows.map(({ address_hash }) => address_hash.toString('hex')));
  return new Set(
    values.filter((value) => hashesOf(work, [value]).some((hash) => known.has(hash.toString('hex')))),
  );
}

/**
 * Keeps the hashes of a suppressed person's addresses before they are taken from it, by a deletion or one by one.
 * `only` narrows it to one address.
 */
export async function rememberSuppression(work: Work, person: PersonId, only?: string): Promise<void> {
  const { rows } = await sql<{ channel: 'email' | 'sms'; address: string }>`
    select case i.type when 'email' then 'email' else 'sms' end as channel, i.value as address
    from identifiers i
    join opt_outs o on o.org_id = i.org_id and o.person_id = i.person_id
      and ((i.type = 'email' and o.email_opt_out) or (i.type = 'phone' and o.sms_opt_out))
    where i.org_id = ${work.org} and i.person_id = ${person}
    union
    select 'email', email from email_blacklist where org_id = ${work.org} and person_id = ${person}`.execute(
    work.db,
  );
  await rememberAddresses(
    work,
    rows.filter(({ address }) => only === undefined || address === only),
  );
}

/** Whoever comes with one of these addresses is opted out at once. Answers how many were not known yet. */
export async function rememberAddresses(
  work: Work,
  addresses: readonly { readonly channel: 'email' | 'sms'; readonly address: string }[],
): Promise<number> {
  if (addresses.length === 0) return 0;
  const { numInsertedOrUpdatedRows } = await work.db
    .insertInto('suppressed_addresses')
    .values(
      addresses.map(({ channel, address }) => ({
        org_id: work.org,
        channel,
        address_hash: work.keys.hashAddress(remembered(address)),
        suppressed_at: work.now,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0n);
}

/** A caller who says in so many words that a person may be written to again also lifts what was remembered. */
export async function forgetSuppression(
  work: Work,
  person: PersonId,
  channel: 'email' | 'sms',
): Promise<void> {
  const addresses = await work.db
    .selectFrom('identifiers')
    .select('value')
    .where('org_id', '=', work.org)
    .where('person_id', '=', person)
    .where('type', '=', channel === 'email' ? 'email' : 'phone')
    .execute();
  if (addresses.length === 0) return;
  await work.db
    .deleteFrom('suppressed_addresses')
    .where('org_id', '=', work.org)
    .where('channel', '=', channel)
    .where(
      'address_hash',
      'in',
      hashesOf(
        work,
        addresses.map(({ value }) => value),
      ),
    )
    .execute();
}
