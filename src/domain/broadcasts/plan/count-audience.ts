import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { atOnce } from '../../../database/planner.ts';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import { hasValue, withPages, type Coverable } from '../../content/variables/coverage-sql.ts';
import { exclusion, type Audience } from './audience.ts';
import type { Draft } from '../draft/draft-input.ts';

export interface AudienceCounts {
  readonly recipients: number;
  readonly reachable: number;
  readonly excluded: readonly { readonly reason: string; readonly count: number }[];
  /** By placeholder: how many of those who would get it have a value. */
  readonly withValue: ReadonlyMap<string, number>;
  /** A person who would get it now. */
  readonly one: PersonId | undefined;
}

const reasons = [
  'opted_out',
  'bounced',
  'complained',
  'blacklisted',
  'no_address',
  'invalid_address',
] as const;

/** Counts an audience in one pass: its size, the exclusions by reason, and how many have each value the body reads. */
export async function countAudience(
  work: Work,
  audience: Audience,
  channel: Draft['channel'],
  coverables: readonly Coverable[],
): Promise<AudienceCounts> {
  const asked = withPages(work, audience.people, coverables);
  const judged = exclusion(work, asked, channel).select([
    'people.created_at',
    ...coverables.map((coverable, at) =>
      sql<boolean>`coalesce(${hasValue(coverable)}, false)`.as(`has_${at}`),
    ),
  ]);
  const reachable = sql<SqlBool>`excluded is null`;
  const counted = work.db.selectFrom(judged.as('judged')).select([
    count(sql`true`).as('recipients'),
    count(reachable).as('reachable'),
    sql<string | null>`max(created_at) filter (where ${reachable})::text`.as('newest'), // to the microsecond
    ...reasons.map((reason) => count(sql<SqlBool>`excluded = ${reason}`).as(reason)),
    ...coverables.map((_, at) =>
      count(sql<SqlBool>`${reachable} and ${sql.ref(`has_${at}`)}`).as(`has_${at}`),
    ),
  ]);
  const row = (await atOnce(
    work.db,
    () => counted.executeTakeFirstOrThrow(),
    audience.joins || coverables.length > 0,
  )) as unknown as Record<string, number> & { newest: string | null };
  return {
    recipients: row['recipients']!,
    reachable: row['reachable']!,
    excluded: reasons.map((reason) => ({ reason, count: row[reason]! })).filter(({ count: how }) => how > 0),
    withValue: new Map(coverables.map(({ name }, at) => [name, row[`has_${at}`]!])),
    one: row.newest === null ? undefined : await findOne(work, audience, channel, row.newest),
  };
}

/** Counts an audience, whether its people may be written to or not. */
export async function countRecipients({ db }: Work, { people, joins }: Audience): Promise<number> {
  const counted = people.select(sql<number>`count(*)`.as('recipients'));
  return (await atOnce(db, () => counted.executeTakeFirstOrThrow(), joins)).recipients;
}

const count = (truth: RawBuilder<unknown>) => sql<number>`count(*) filter (where ${truth})`;

/** A reachable person of the audience, created at the given moment. */
async function findOne(
  work: Work,
  { people }: Audience,
  channel: Draft['channel'],
  createdAt: string,
): Promise<PersonId | undefined> {
  const judged = exclusion(
    work,
    people.where('people.created_at', '=', sql<Date>`${createdAt}::timestamptz`),
    channel,
  ).select('people.id');
  const found = await work.db
    .selectFrom(judged.as('judged'))
    .select('id')
    .where('excluded', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return found?.id as PersonId | undefined;
}
