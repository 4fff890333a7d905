import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import { newId } from '../../kernel/ids.ts';
import { findConfigs } from '../properties/property-config.ts';
import { toColumns } from '../properties/property-value.ts';

interface Setting {
  readonly key: string;
  readonly value: string | number | boolean;
}

/** Sets one property of many people, who are held. A property that is gone, or has another type now, is passed over. */
export async function setProperty(
  work: Work,
  { key, value }: Setting,
  people: readonly { readonly person_id: string }[],
): Promise<void> {
  const config = (await findConfigs(work, [key])).get(key);
  if (config === undefined || typeof value !== config.type) return;
  const { text_value, number_value, boolean_value } = toColumns(value);
  const ids = [...new Set(people.map(({ person_id }) => person_id))].toSorted();
  await sql`
    insert into property_values
      (org_id, person_id, config_id, text_value, number_value, boolean_value, changed_by, created_at)
    select ${work.org}, id, ${config.id}, ${text_value}, ${number_value}, ${boolean_value}, ${newId(work.now)}, ${work.now}
    from unnest(${ids}::uuid[]) id
    on conflict (org_id, person_id, config_id) do update set
      text_value = excluded.text_value,
      number_value = excluded.number_value,
      boolean_value = excluded.boolean_value,
      changed_by = excluded.changed_by`.execute(work.db);
}
