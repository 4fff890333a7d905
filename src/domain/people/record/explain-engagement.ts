import { sql } from 'kysely';
import { z } from 'zod';
import { defineOperation, type Work } from '../../../database/work.ts';
import { PersonId } from '../../../kernel/ids.ts';
import { MomentOut } from '../../../kernel/moment.ts';
import { engagementScore, halfLifeMs, rawEngagement, rawOfFifty } from '../../filters/engagement-score.ts';
import { personNotFound } from '../../identifiers/require-person.ts';
import { engagementWeights } from './engagement.ts';

type Action = keyof typeof engagementWeights;
const actions = Object.keys(engagementWeights) as Action[];

const Part = z.object({
  action: z.enum(actions),
  times: z.int().describe('Messages; of each it counts once.'),
  last_at: MomentOut,
  worth_then: z.number().describe('The weight of the action, times the messages.'),
  worth_now: z.number(),
});

export const explainEngagement = defineOperation({
  name: 'explain_engagement',
  title: 'Explain an engagement score',
  summary:
    "What a person's email engagement score is made of: opens, clicks and replies, each message once, worth half as " +
    'much every 30 days. Opens by mail scanners are left out.',
  permission: 'people.read',
  effect: 'read',
  faces: { rest: ['GET /v1/people/:person_id/engagement'] },
  input: z.strictObject({ person_id: PersonId }),
  output: z.object({
    score: z.number().nullable().describe('From 0 to 100; null for somebody who never did anything.'),
    parts: z.array(Part),
    earlier: z.number().describe('What is left of messages that are no longer kept.'),
    together: z.number().describe('What all of it is worth now.'),
    worth_of_fifty: z.number().describe('What makes a score of 50.'),
    half_life_days: z.number(),
    next: z
      .object({ at: MomentOut, score: z.number().nullable() })
      .describe('The score after one half-life, if nothing more happens.'),
  }),
  handle: async (work, { person_id }) => {
    const person = await work.db
      .selectFrom('people')
      .select('engagement')
      .where('org_id', '=', work.org)
      .where('id', '=', person_id)
      .executeTakeFirst();
    if (person === undefined) throw await personNotFound(work, person_id);
    const parts = await readParts(work, person_id);
    const together = rawEngagement(person.engagement, work.now);
    const kept = parts.reduce((sum, { worth_now }) => sum + worth_now, 0);
    const later = new Date(work.now.getTime() + halfLifeMs);
    return {
      score: engagementScore(person.engagement, work.now),
      parts,
      earlier: tenths(Math.max(0, together - kept)),
      together: tenths(together),
      worth_of_fifty: rawOfFifty,
      half_life_days: halfLifeMs / 86_400_000,
      next: { at: later.toISOString(), score: engagementScore(person.engagement, later) },
    };
  },
});

/** Summed up by the database's own rule, which also writes the score. */
async function readParts(work: Work, person: PersonId): Promise<z.input<typeof Part>[]> {
  const weights = actions.map((action) => engagementWeights[action]);
  const { rows } = await sql<{ action: Action; weight: number; times: number; last_at: Date; sum: number }>`
    select w.action, w.weight, count(*) as times, max(did.at) as last_at,
      sum_engagement(engagement_of(w.weight, did.at)) as sum
    from deliveries d
    cross join lateral (values ('open', d.opened_at), ('click', d.clicked_at), ('reply', d.replied_at))
      did(action, at)
    join unnest(${actions}::text[], ${weights}::double precision[]) w(action, weight) using (action)
    where d.org_id = ${work.org} and d.person_id = ${person} and did.at is not null
    group by w.action, w.weight
    order by w.weight desc`.execute(work.db);
  return rows.map(({ action, weight, times, last_at, sum }) => ({
    action,
    times,
    last_at: last_at.toISOString(),
    worth_then: weight * times,
    worth_now: tenths(rawEngagement(sum, work.now)),
  }));
}

const tenths = (worth: number): number => Math.round(worth * 10) / 10;
