import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';

/** The weight of each action, counted once for each message. */
export const engagementWeights = { open: 1, click: 4, reply: 8 } as const;

export interface Engaged {
  readonly person_id: string;
  readonly weight: number;
  readonly at: Date;
}

/** Adds what people did to their engagement, in any order and of any age. Skips people who are gone. */
export async function addEngagement(work: Work, engaged: readonly Engaged[]): Promise<void> {
  if (engaged.length === 0) return;
  await sql`
    update people p set engagement = add_engagement(p.engagement, e.engagement)
    from (${sumUp(engaged)}) e
    where p.org_id = ${work.org} and p.id = e.person_id`.execute(work.db);
}

/** When a person opened a message, and followed one of its links. */
export interface Reading {
  readonly person_id: string;
  readonly opened: Date;
  readonly clicked: Date | undefined;
}

/**
 * Notes who read, and adds what of it counts, in one write: a person's row has so many indexes that each write costs
 * half a millisecond.
 */
export async function noteReading(
  work: Work,
  readings: readonly Reading[],
  engaged: readonly Engaged[],
): Promise<void> {
  if (readings.length === 0) return;
  await sql`
    update people p set
      last_opened_at = greatest(p.last_opened_at, r.opened),
      last_clicked_at = greatest(p.last_clicked_at, r.clicked),
      engagement = add_engagement(p.engagement, e.engagement)
    from (
      select person_id, max(opened) as opened, max(clicked) as clicked
      from jsonb_to_recordset(${JSON.stringify(readings)}::jsonb)
        as reading(person_id uuid, opened timestamptz, clicked timestamptz)
      group by person_id) r
    left join (${sumUp(engaged)}) e using (person_id)
    where p.org_id = ${work.org} and p.id = r.person_id`.execute(work.db);
}

const sumUp = (engaged: readonly Engaged[]) => sql`
  select person_id, sum_engagement(engagement_of(weight, at)) as engagement
  from jsonb_to_recordset(${JSON.stringify(engaged)}::jsonb)
    as done(person_id uuid, weight double precision, at timestamptz)
  group by person_id`;
