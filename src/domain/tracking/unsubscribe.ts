import { sql } from 'kysely';
import type { Database } from '../../database/pool.ts';
import type { ServiceParts } from '../../database/service-work.ts';
import type { Work } from '../../database/work.ts';
import type { PersonId } from '../../kernel/ids.ts';
import { holdDelivery } from '../delivery/ledger/hold-delivery.ts';
import { readSentBy } from '../delivery/ledger/sent-by.ts';
import { writeEvents } from '../timeline/write-events.ts';
import { rememberUnheld } from '../identifiers/suppressed-address.ts';
import { asService, type Asked } from '../orgs/as-service.ts';
import { writeAudit } from '../orgs/audit.ts';
import { optBackIn, optOut } from '../people/opt-outs/opt-outs.ts';

/**
 * Opts the recipient of a message out of its channel: no more marketing email, or no more texts. A repeated request
 * changes nothing, unless the person was opted in again in between. For a deleted person nothing is written. `itself`:
 * the request came by the message's own link or address, by which it can be taken back. Returns whether it was new.
 */
export async function unsubscribe(
  database: Database,
  parts: ServiceParts,
  asked: Asked,
  { delivery, itself }: { readonly delivery: number; readonly itself: boolean },
): Promise<boolean> {
  const news = await asService(database, parts, asked, async (work) => {
    const held = await holdDelivery(work, delivery);
    if (held?.person === undefined) return false;
    const { person, broadcast_id } = held;
    const { channel, isOut, isNoted } = await standing(work, delivery);
    if (isOut && isNoted) return false;
    if (!isOut) await optOut(work, person, channel, itself ? delivery : null);
    if (held.address !== null) await rememberUnheld(work, person, { channel, address: held.address });
    await noteWish(work, 'unsubscribe', { person, broadcast_id, channel });
    await sql`
      update deliveries set unsubscribed_at = ${work.now}
      where org_id = ${work.org} and id = ${delivery} and unsubscribed_at is null`.execute(work.db);
    return true;
  });
  return news === true;
}

/**
 * Takes back an opt-out that was made by this message's own link. Opt-outs by other means stay, as do bounces,
 * complaints and blocks. The broadcast's figures still count the opt-out.
 */
export async function resubscribe(
  database: Database,
  parts: ServiceParts,
  asked: Asked,
  delivery: number,
): Promise<void> {
  await asService(database, parts, asked, async (work) => {
    const held = await holdDelivery(work, delivery);
    if (held?.person === undefined) return;
    const { person, broadcast_id } = held;
    const { channel } = await standing(work, delivery);
    if (!(await optBackIn(work, person, channel, delivery))) return;
    await noteWish(work, 'resubscribe', { person, broadcast_id, channel });
  });
}

interface Wish {
  readonly person: PersonId;
  readonly broadcast_id: string;
  readonly channel: 'email' | 'sms';
}

/** Writes the timeline event and the audit row. */
async function noteWish(
  work: Work,
  wish: 'unsubscribe' | 'resubscribe',
  { person, broadcast_id, channel }: Wish,
): Promise<void> {
  const of = await readSentBy(work, [broadcast_id]);
  await writeEvents(work, [
    {
      person_id: person,
      name: `$svc_${wish}d`,
      custom_properties: { ...of(broadcast_id), channel },
      occurred_at: work.now,
    },
  ]);
  work.touched['person_id'] = person;
  work.touched['broadcast_id'] = broadcast_id;
  await writeAudit(work, wish);
}

/** The message's channel and the earlier requests. The row and the person are locked. */
async function standing(
  { db, org }: Work,
  delivery: number,
): Promise<{ channel: 'email' | 'sms'; isOut: boolean; isNoted: boolean }> {
  const { rows } = await sql<{ channel: 'email' | 'sms'; out: boolean; noted: boolean }>`
    select b.channel, d.unsubscribed_at is not null as noted,
      coalesce(case b.channel when 'email' then o.email_opt_out else o.sms_opt_out end, false) as out
    from deliveries d
    join broadcasts b on b.org_id = d.org_id and b.id = d.broadcast_id
    left join opt_outs o on o.org_id = d.org_id and o.person_id = d.person_id
    where d.org_id = ${org} and d.id = ${delivery}`.execute(db);
  const { channel, out, noted } = rows[0]!;
  return { channel, isOut: out, isNoted: noted };
}
