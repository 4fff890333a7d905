import { z } from 'zod';
import type { Work } from '../../database/work.ts';
import { PropertyConfigId, type PersonId } from '../../kernel/ids.ts';
import { MomentOut } from '../../kernel/moment.ts';
import { fromColumns, PropertyScalarOut } from './property-value.ts';

export const PersonProperty = z
  .object({
    key: z.string(),
    value: PropertyScalarOut.nullable(),
    property_config_id: PropertyConfigId,
    created_at: MomentOut,
  })
  .meta({ id: 'PersonProperty' });

/** A person's values, or its value for one config. */
export async function readProperties(
  work: Work,
  person: PersonId,
  config?: string,
): Promise<z.input<typeof PersonProperty>[]> {
  let query = work.db
    .selectFrom('property_values as v')
    .innerJoin('property_configs as c', (join) =>
      join.onRef('c.org_id', '=', 'v.org_id').onRef('c.id', '=', 'v.config_id'),
    )
    .select(['c.key', 'v.text_value', 'v.number_value', 'v.boolean_value', 'v.config_id', 'v.created_at'])
    .where('v.org_id', '=', work.org)
    .where('v.person_id', '=', person)
    .orderBy('c.key');
  if (config !== undefined) query = query.where('v.config_id', '=', config);
  const rows = await query.execute();
  return rows.map((row) => ({
    key: row.key,
    value: fromColumns(row),
    property_config_id: row.config_id as PropertyConfigId,
    created_at: row.created_at.toISOString(),
  }));
}
