import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import type { PersonId } from '../../kernel/ids.ts';
import { recordEvents } from '../events/record-events.ts';
import { optOut } from '../people/opt-outs.ts';
import { readSentBy } from './sent-by.ts';

/** A stop that comes later than this is not blamed on the last text. */
const blamedDays = 30;

/**
 * Opts people out of texts because they said so, and counts it against the text they got last. They are held first,
 * before any row of the ledger, so that nobody who is writing to them now does so afterwards. Answers who was not opted
 * out before: for the others nothing is written, however often they say it.
 */
export async function optOutOfTexts(work: Work, people: readonly PersonId[]): Promise<PersonId[]> {
  const { db, org, now } = work;
  const held = await sql<{ id: PersonId }>`
    select id from people where org_id = ${org} and id = any(${people}::uuid[]) order by id for update`.execute(
    db,
  );
  const known = await db
    .selectFrom('opt_outs')
    .select('person_id')
    .where('org_id', '=', org)
    .where('person_id', 'in', [...people])
    .where('sms_opt_out', '=', true)
    .execute();
  const before = new Set(known.map(({ person_id }) => person_id));
  const fresh = held.rows.map(({ id }) => id).filter((id) => !before.has(id));
  for (const person_id of fresh) {
    await optOut(work, person_id, 'sms');
    const blamed = await blameLastText(work, person_id);
    const of = await readSentBy(work, blamed === undefined ? [] : [blamed]);
    const custom_properties = { channel: 'sms', ...(blamed !== undefined && of(blamed)) };
    await recordEvents(work, [{ person_id, name: '$svc_unsubscribed', custom_properties, occurred_at: now }]);
  }
  if (fresh.length > 0) work.touched['person_ids'] = fresh;
  return fresh;
}

async function blameLastText({ db, org, now }: Work, person: PersonId): Promise<string | undefined> {
  const since = new Date(now.getTime() - blamedDays * 86_400_000);
  const { rows } = await sql<{ broadcast_id: string }>`
    update deliveries d set unsubscribed_at = coalesce(d.unsubscribed_at, ${now}) from (
      select l.id from deliveries l join broadcasts b on b.org_id = l.org_id and b.id = l.broadcast_id
      where l.org_id = ${org} and l.person_id = ${person} and b.channel = 'sms' and l.sent_at >= ${since}
      order by l.sent_at desc, l.id desc limit 1) last
    where d.org_id = ${org} and d.id = last.id
    returning d.broadcast_id`.execute(db);
  return rows[0]?.broadcast_id;
}
