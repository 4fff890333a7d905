import { sql, type RawBuilder } from 'kysely';
import { holdPeople } from '../../../database/hold-people.ts';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import { writeEvents } from '../../timeline/write-events.ts';
import { optOut } from '../../people/opt-outs/opt-outs.ts';
import { shareClock } from '../../waits/clock.ts';
import { readSentBy } from '../ledger/sent-by.ts';

/** A stop that comes later than this does not count against the last text. */
const blamedDays = 30;

/**
 * Opts people out of texts at their own request and counts it against the last text they got. People are locked first,
 * before any ledger row, so that no lane writes to them after the commit. Returns those who were not opted out before;
 * for the others nothing is written, however often they ask. `deliveries`: the ledger rows that the caller updates
 * afterwards.
 */
export async function optOutOfTexts(
  work: Work,
  people: readonly PersonId[],
  deliveries: readonly number[] = [],
): Promise<PersonId[]> {
  const { db, org, now } = work;
  const held = await holdPeople(work, people, 'alone');
  const known = await db
    .selectFrom('opt_outs')
    .select('person_id')
    .where('org_id', '=', org)
    .where('person_id', 'in', [...people])
    .where('sms_opt_out', '=', true)
    .execute();
  const before = new Set(known.map(({ person_id }) => person_id));
  const fresh = held.filter((id) => !before.has(id));
  if (fresh.length > 0) {
    await shareClock(work, work.org); // before the ledger: a listening workflow takes it later
    await holdLastTexts(work, fresh, deliveries);
  }
  for (const person_id of fresh) {
    await optOut(work, person_id, 'sms');
    const blamed = await blameLastText(work, person_id);
    const of = await readSentBy(work, blamed === undefined ? [] : [blamed]);
    const custom_properties = { channel: 'sms', ...(blamed !== undefined && of(blamed)) };
    await writeEvents(work, [{ person_id, name: '$svc_unsubscribed', custom_properties, occurred_at: now }]);
  }
  if (fresh.length > 0) work.touched['person_ids'] = fresh;
  return fresh;
}

/**
 * Locks the texts that the opt-outs count against, the other rows to be updated, and then the totals of all these, each
 * in the order of ids. One by one, the totals of several broadcasts would be locked in any order.
 */
export async function holdLastTexts(
  work: Work,
  people: readonly PersonId[],
  deliveries: readonly number[],
): Promise<void> {
  const { db, org } = work;
  await sql`
    with held as materialized (
      select broadcast_id from deliveries
      where org_id = ${org} and id = any(${deliveries}::bigint[] || array(
        select last.id from unnest(${people}::uuid[]) as p(id), lateral (${lastText(work, sql`p.id`)}) last))
      order by id for update)
    select 1 from broadcasts where org_id = ${org} and id in (select broadcast_id from held)
    order by id for no key update`.execute(db);
}

const lastText = ({ org, now }: Work, person: RawBuilder<unknown>) => sql`
  select l.id from deliveries l join broadcasts b on b.org_id = l.org_id and b.id = l.broadcast_id
  where l.org_id = ${org} and l.person_id = ${person} and b.channel = 'sms'
    and l.sent_at >= ${new Date(now.getTime() - blamedDays * 86_400_000)}
  order by l.sent_at desc, l.id desc limit 1`;

async function blameLastText(work: Work, person: PersonId): Promise<string | undefined> {
  const { db, org, now } = work;
  const { rows } = await sql<{ broadcast_id: string }>`
    update deliveries d set unsubscribed_at = coalesce(d.unsubscribed_at, ${now})
    where d.org_id = ${org} and d.id = any(array(select id from (${lastText(work, sql`${person}::uuid`)}) last))
    returning d.broadcast_id`.execute(db);
  return rows[0]?.broadcast_id;
}
