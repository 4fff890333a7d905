import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import { writeEvents } from '../../timeline/write-events.ts';
import type { BounceClass } from '../ledger/bounce-class.ts';
import { domainOf } from '../ledger/domain-of.ts';
import { holdDelivery } from '../ledger/hold-delivery.ts';
import { codeOf, withEntry } from '../ledger/note-history.ts';
import { pauseDomain } from '../ledger/receiving-domains.ts';
import { readSentBy } from '../ledger/sent-by.ts';
import { blacklistAddress } from '../ledger/suppress-address.ts';

export interface Bounce {
  readonly delivery: number;
  readonly bounceClass: BounceClass;
  readonly code?: string | undefined;
  readonly reply?: string | undefined;
  readonly at?: Date;
  /** Refused during hand-over, rather than accepted and returned later. */
  readonly duringSend?: boolean;
}

/**
 * Records that a message bounced or was refused. Returns whether that was new: a repeated bounce changes nothing, and
 * only a hard one overrides an earlier bounce. For a deleted person only the row is updated, without the server's
 * reply, which may contain the address.
 */
export async function noteBounce(work: Work, bounce: Bounce): Promise<boolean> {
  const { bounceClass, at = work.now } = bounce;
  const code = codeOf(bounce.code);
  const held = await holdDelivery(work, bounce.delivery);
  if (held === undefined) return false;
  const known = held.bounce_class;
  if (known === 'hard' || (known !== null && bounceClass !== 'hard')) return false;
  const what = bounce.duringSend === true ? 'refused' : 'bounced';
  const reply = held.person === undefined ? undefined : bounce.reply;
  await sql`
    update deliveries set bounced_at = coalesce(bounced_at, ${at}), bounce_class = ${bounceClass},
      history = ${withEntry({ at, what, code, reply })}
    where org_id = ${work.org} and id = ${held.id}`.execute(work.db);
  if (held.person === undefined) return true;
  const of = await readSentBy(work, [held.broadcast_id]);
  const about = { ...of(held.broadcast_id), class: bounceClass, code: code ?? null };
  await writeEvents(work, [
    { person_id: held.person, name: '$svc_email_bounced', custom_properties: about, occurred_at: at },
  ]);
  if (held.address === null) return true;
  if (bounceClass === 'policy') {
    if (bounce.duringSend === true || (await isSaidOfMany(work, held.address)))
      await pauseDomain(work, held.address, `refused by policy ${code ?? ''}`.trim());
  } else if (bounceClass === 'hard' || (await keepsBouncing(work, held.person, held.address))) {
    await blacklistAddress(work, held.person, held.address, 'bounced');
  }
  return true;
}

const reports = 3;

/** Whether the domain refused messages to several people within an hour: a single report may be forged. */
async function isSaidOfMany({ db, org, now }: Work, address: string): Promise<boolean> {
  const asWritten = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  const { rows } = await sql<{ people: number }>`
    select count(distinct person_id)::int as people from deliveries
    where org_id = ${org} and bounce_class = 'policy' and bounced_at > ${now}::timestamptz - interval '1 hour'
      and lower(split_part(address, '@', -1)) = any(${[domainOf(address), asWritten]})`.execute(db);
  return rows[0]!.people >= reports;
}

const softBounces = 4;
const softDays = 14;

/**
 * Whether the address has been dead for long: four sends bounced over at least a fortnight. A send that was opened,
 * clicked, replied to or delivered shows that the mailbox lives, and counting restarts after it.
 */
async function keepsBouncing({ db, org }: Work, person: PersonId, address: string): Promise<boolean> {
  const { rows } = await sql<{ long: boolean | null }>`
    with sends as (
      select bounced_at, bounce_class, greatest(delivered_at, opened_at, clicked_at, replied_at) as alive_at
      from deliveries where org_id = ${org} and person_id = ${person} and address = ${address})
    select count(*) >= ${softBounces} and max(bounced_at) - min(bounced_at) >= make_interval(days => ${softDays}) as long
    from sends
    where bounce_class = 'soft'
      and bounced_at > (select coalesce(max(alive_at) filter (where bounced_at is null), '-infinity') from sends)`.execute(
    db,
  );
  return rows[0]?.long === true;
}
