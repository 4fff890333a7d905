import { sql } from 'kysely';
import type { PersonId } from '../../kernel/ids.ts';
import type { Work } from '../../database/work.ts';
import { shareNumbers } from './hold-numbers.ts';
import { toE164 } from './phone-number.ts';

interface Address {
  readonly type: string;
  readonly value: string;
}

const channels: Readonly<Record<string, 'email' | 'sms'>> = { email: 'email', phone: 'sms' };

/** Always true; lets the index be searched by the address, which comes after the channel in its key. */
const onAnyChannel = sql`channel in ('email', 'sms')`;

/** Numbers are remembered in the form in which they are dialed, so that every spelling matches. */
const remembered = (address: string): string => toE164(address) ?? address;

/** Also hashes the address as it was written, which is how it was once remembered. */
const hashesOf = ({ keys }: Work, addresses: readonly string[]): Buffer[] =>
  [...new Set(addresses.flatMap((address) => [address, remembered(address)]))].flatMap(keys.hashesOfAddress);

/**
 * Deleting a suppressed person left a keyed hash of each address, and so did a stop by text from an unknown number. A
 * person who gets such an address is opted out at once, so that no import or form can undo an opt-out.
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
  await shareNumbers(work, attached);
  await sql`
    insert into opt_outs as o (org_id, person_id, email_opt_out, sms_opt_out, updated_at)
    select ${work.org}, ${person}, bool_or(channel = 'email'), bool_or(channel = 'sms'), ${work.now}
    from suppressed_addresses
    where org_id = ${work.org} and ${onAnyChannel} and address_hash = any(${hashes}::bytea[])
    having count(*) > 0
    on conflict (org_id, person_id) do update set
      email_opt_out = o.email_opt_out or excluded.email_opt_out,
      sms_opt_out = o.sms_opt_out or excluded.sms_opt_out,
      email_out_by = case when not excluded.email_opt_out then o.email_out_by end,
      sms_out_by = case when not excluded.sms_opt_out then o.sms_out_by end,
      updated_at = excluded.updated_at`.execute(work.db);
}

/** For which channels an address is remembered, if it is. */
export type Remembered = (address: Address) => { readonly email: boolean; readonly sms: boolean } | undefined;

/** What many addresses are remembered by. Each takes some ten microseconds. */
export const hashesAmong = (work: Work, addresses: readonly Address[]): readonly Buffer[] =>
  hashesOf(
    work,
    addresses.filter(({ type }) => type in channels).map(({ value }) => value),
  );

/** Which of many addresses are remembered, so that only people with one of these need further work. */
export async function rememberedAmong(work: Work, hashes: readonly Buffer[]): Promise<Remembered> {
  if (hashes.length === 0) return () => undefined;
  const { rows } = await sql<{ hash: Buffer; email: boolean; sms: boolean }>`
    select asked.hash, bool_or(known.channel = 'email') as email, bool_or(known.channel = 'sms') as sms
    from unnest(${hashes}::bytea[]) asked(hash)
    join lateral (
      select channel from suppressed_addresses
      where org_id = ${work.org} and ${onAnyChannel} and address_hash = asked.hash limit 2
    ) known on true
    group by asked.hash`.execute(work.db);
  if (rows.length === 0) return () => undefined;
  const known = new Map(rows.map((row) => [row.hash.toString('hex'), row]));
  return ({ type, value }) => {
    if (!(type in channels)) return undefined;
    const found = hashesOf(work, [value]).flatMap((hash) => known.get(hash.toString('hex')) ?? []);
    if (found.length === 0) return undefined;
    return { email: found.some(({ email }) => email), sms: found.some(({ sms }) => sms) };
  };
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

/** A person who later gets one of these addresses is opted out at once. Returns how many were not known yet. */
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

/**
 * Which of the addresses must not be written to now, for any holder, and why: the address is remembered, it bounced or
 * complained under an earlier holder, or another person with the same number opted out.
 */
export async function suppressedAmong(
  work: Work,
  channel: 'email' | 'sms',
  addresses: readonly string[],
): Promise<Map<string, string>> {
  if (addresses.length === 0) return new Map();
  const { db, org } = work;
  const asked = addresses.flatMap((address) => hashesOf(work, [address]).map((hash) => ({ address, hash })));
  const ofOthers =
    channel === 'email'
      ? sql`select email, reason from email_blacklist where org_id = ${org} and email = any(${addresses})`
      : sql`select a.address, 'opted_out' from unnest(${addresses}::text[]) a(address)
          cross join lateral gate.people_with_number(a.address) p(id)
          join opt_outs o on o.org_id = ${org} and o.person_id = p.id and o.sms_opt_out`;
  const { rows } = await sql<{ address: string; reason: string }>`
    select a.address, 'opted_out' as reason
    from unnest(${asked.map(({ address }) => address)}::text[], ${asked.map(({ hash }) => hash)}::bytea[])
      a(address, hash)
    join suppressed_addresses s on s.org_id = ${org} and s.channel = ${channel} and s.address_hash = a.hash
    union all ${ofOthers}`.execute(db);
  return new Map(rows.map(({ address, reason }) => [address, reason]));
}

/** Remembers an opt-out for an address if the person no longer has it, so that no later holder is written to. */
export async function rememberUnheld(
  work: Work,
  person: PersonId,
  sent: { readonly channel: 'email' | 'sms'; readonly address: string },
): Promise<void> {
  const address = sent.channel === 'email' ? sent.address.trim().toLowerCase() : remembered(sent.address);
  const held = await work.db
    .selectFrom('identifiers')
    .select('id')
    .where('org_id', '=', work.org)
    .where('person_id', '=', person)
    .where('type', '=', sent.channel === 'email' ? 'email' : 'phone')
    .where('value', '=', address)
    .executeTakeFirst();
  if (held === undefined) await rememberAddresses(work, [{ channel: sent.channel, address }]);
}

/** A caller who explicitly opts people in again also lifts what was remembered. */
export async function forgetSuppression(
  work: Work,
  people: readonly PersonId[],
  channel: 'email' | 'sms',
): Promise<void> {
  const addresses = await work.db
    .selectFrom('identifiers')
    .select('value')
    .where('org_id', '=', work.org)
    .where('person_id', '=', sql<string>`any(${people}::uuid[])`)
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
