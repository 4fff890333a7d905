import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';

/** As many as are sent in one window. */
export const few = 64;

/**
 * Whether a broadcast has few left to write to: such a one goes before the others, who would not notice. It is a guess
 * from above that costs little. Who is in the audience is decided later.
 */
export async function isForFew({ db, org }: Pick<Work, 'db' | 'org'>, broadcast: string): Promise<boolean> {
  const atMost = (rows: ReturnType<typeof sql>) => sql`(select count(*) from (${rows} limit ${few + 1}) r)`;
  const registrants = sql`select from registrations where org_id = b.org_id and webinar_id = b.webinar_id`;
  const everybody = sql`select from people where org_id = b.org_id`;
  const { rows } = await sql<{ isFew: boolean }>`
    select ${few} >= case when b.audience = 'workflow' or b.prepared_at is not null then b.pending
      when b.audience = 'webinar' then ${atMost(registrants)} else ${atMost(everybody)} end as "isFew"
    from broadcasts b where b.org_id = ${org} and b.id = ${broadcast}`.execute(db);
  return rows[0]?.isFew ?? false;
}
