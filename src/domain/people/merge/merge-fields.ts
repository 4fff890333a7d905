import { sql, type RawBuilder } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import type { MergeRule } from '../../person-fields/field.ts';
import { fieldNames, fieldOf, otherColumns } from '../../person-fields/fields.ts';

/** The value that each rule gives a column, from the survivor `s`, the loser `l` and `paying`; null leaves it. */
const merged: Readonly<Record<MergeRule, ((column: string, now: Date) => RawBuilder<unknown>) | null>> = {
  survivor: null,
  'survivor unless empty': (column) => sql.raw(`coalesce(s.${column}, l.${column})`),
  latest: (column) => sql.raw(`greatest(s.${column}, l.${column})`),
  'engagement of both': (column) => sql.raw(`add_engagement(s.${column}, l.${column})`),
  'members of both': (column) =>
    sql.raw(`(select coalesce(array_agg(distinct m), '{}') from unnest(s.${column} || l.${column}) m)`),
  'with the livelier subscription': (column) => sql.raw(`paying.${column}`),
  // refreshPrimaries writes these, once all identifiers are the survivor's.
  'from the identifiers': null,
  'time of the merge': (_, now) => sql`${now}`,
};

const columns: readonly (readonly [string, MergeRule])[] = [
  ...fieldNames.map((name) => [fieldOf(name).column, fieldOf(name).merge] as const),
  ...Object.entries(otherColumns),
];

const payments = fieldNames.map(fieldOf).filter(({ merge }) => merge === 'with the livelier subscription');
const payingColumns = sql.raw(payments.map(({ column }) => column).join(', '));
/** A person without known payments: every column is null or, where it cannot be, zero. */
const paysNothing = sql.raw(
  [
    `(${payments.flatMap(({ column, everybodyHas }) => (everybodyHas ? [] : [column])).join(', ')}) is null`,
    ...payments.flatMap(({ column, everybodyHas }) => (everybodyHas ? [`${column} = 0`] : [])),
  ].join(' and '),
);

/**
 * Folds the loser's columns into the survivor's, each by its declared rule. The payment columns belong together and
 * come from one of the two: the one whose subscription is livelier, or the survivor if both are alike.
 */
export async function mergeFields(
  { db, org, now }: Work,
  survivor: PersonId,
  loser: PersonId,
): Promise<void> {
  const changes = columns.flatMap(([column, rule]) => {
    const value = merged[rule]?.(column, now);
    return value === undefined ? [] : [sql`${sql.raw(column)} = ${value}`];
  });
  await sql`
    update people s set ${sql.join(changes)}
    from people l, (
      select ${payingColumns}
      from people where org_id = ${org} and id in (${survivor}, ${loser})
      order by
        ${paysNothing},
        array_position(array['active', 'trialing', 'past_due', 'paused', 'unpaid', 'incomplete', 'canceled',
          'incomplete_expired', 'inactive'], subscription_status),
        id <> ${survivor}
      limit 1
    ) paying
    where s.org_id = ${org} and s.id = ${survivor} and l.org_id = ${org} and l.id = ${loser}`.execute(db);
}
