import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';

/** What a person's doing counts for, once a message each. */
export const engagementWeights = { open: 1, click: 4, reply: 8 } as const;

export interface Engaged {
  readonly person_id: string;
  readonly weight: number;
  readonly at: Date;
}

/** Adds what people did to their engagement, in any order and of any age. Whoever is gone is left out. */
export async function addEngagement(work: Work, engaged: readonly Engaged[]): Promise<void> {
  if (engaged.length === 0) return;
  await sql`
    update people p set engagement = add_engagement(p.engagement, e.engagement)
    from (
      select person_id, sum_engagement(engagement_of(weight, at)) as engagement
      from jsonb_to_recordset(${JSON.stringify(engaged)}::jsonb)
        as done(person_id uuid, weight double precision, at timestamptz)
      group by person_id) e
    where p.org_id = ${work.org} and p.id = e.person_id`.execute(work.db);
}
