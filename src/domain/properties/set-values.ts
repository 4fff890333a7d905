import { sql, type RawBuilder } from 'kysely';
import type { Work } from '../../database/work.ts';
import { newId, type PersonId } from '../../kernel/ids.ts';
import { toColumns } from './property-value.ts';
import type { PropertyChanges } from './request-changes.ts';

export interface ValuesOf {
  readonly person_id: PersonId;
  readonly changes: PropertyChanges;
  /** This transaction made the person, who has no values yet. */
  readonly isNew?: boolean;
}

/** Sets values of a person at once. The caller holds the person, or has just made it. */
export const setValues = (work: Work, person_id: PersonId, changes: PropertyChanges): Promise<void> =>
  setValuesOf(work, [{ person_id, changes }]);

/** The same for many people, each named once. */
export async function setValuesOf(work: Work, people: readonly ValuesOf[]): Promise<void> {
  const by = newId(work.now);
  // Somebody new has no values yet, and looking for them takes as long as writing.
  const of = (isNew: boolean) => people.filter((one) => (one.isNew ?? false) === isNew);
  await insertValues(work, by, of(true), sql``);
  await insertValues(work, by, of(false), overwriting);
}

const overwriting = sql`
  on conflict (org_id, person_id, config_id) do update set
    text_value = excluded.text_value,
    number_value = excluded.number_value,
    boolean_value = excluded.boolean_value,
    changed_by = excluded.changed_by`;

async function insertValues(
  work: Work,
  by: string,
  people: readonly ValuesOf[],
  onConflict: RawBuilder<unknown>,
): Promise<void> {
  const values = people.flatMap(({ person_id, changes }) =>
    Object.entries(changes).map(([config_id, value]) => ({ person_id, config_id, ...toColumns(value) })),
  );
  if (values.length === 0) return;
  await sql`
    insert into property_values
      (org_id, person_id, config_id, text_value, number_value, boolean_value, changed_by, created_at)
    select ${work.org}, v.person_id, v.config_id, v.text_value, v.number_value, v.boolean_value, ${by}::uuid, ${work.now}
    from json_to_recordset(${JSON.stringify(values)}::json)
      as v(person_id uuid, config_id uuid, text_value text, number_value double precision, boolean_value boolean)
    ${onConflict}`.execute(work.db);
}
