import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { PropertyConfigs } from '../../database/tables.generated.ts';
import type { Work } from '../../database/work.ts';
import { Failure } from '../../kernel/failure.ts';
import { PropertyConfigId } from '../../kernel/ids.ts';
import { MomentOut } from '../../kernel/moment.ts';

export const PropertyType = z.enum(['string', 'number', 'boolean']);
export type PropertyType = z.infer<typeof PropertyType>;

export const PropertyConfig = z
  .object({
    id: PropertyConfigId,
    key: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    type: PropertyType,
    created_at: MomentOut,
  })
  .meta({ id: 'PropertyConfig' });

export const toPropertyConfig = (row: Selectable<PropertyConfigs>): z.input<typeof PropertyConfig> => ({
  id: row.id as PropertyConfigId,
  key: row.key,
  name: row.name,
  description: row.description,
  type: row.type as PropertyType,
  created_at: row.created_at.toISOString(),
});

const reserved = /^webinar_.+_[0-9a-f]{8}[-_]?[0-9a-f]{4}[-_]?[0-9a-f]{4}[-_]?[0-9a-f]{4}[-_]?[0-9a-f]{12}$/i;

/** webinar_<outcome>_<session uuid>: the service's own, with the uuid's dashes as they are, as underscores or left out.
 * And __proto__, which no JSON object can safely carry as a key. */
export const isReservedKey = (key: string): boolean => reserved.test(key) || key === '__proto__';

/** planTier, Plan-Tier and "plan tier" all become plan_tier. */
export const toSnakeCase = (key: string): string =>
  key
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toLowerCase();

export const configNotFound = (): Failure =>
  new Failure('not_found', 'No property config with this id exists in this organization.');

/** The configs for keys as callers write them: an exact match first, then the snake_case form. */
export async function findConfigs(
  work: Work,
  keys: readonly string[],
  hold: 'look' | 'hold' = 'look',
): Promise<Map<string, Selectable<PropertyConfigs>>> {
  if (keys.length === 0) return new Map();
  const wanted = [...new Set([...keys, ...keys.map(toSnakeCase)])];
  const rows = await work.db
    .selectFrom('property_configs')
    .selectAll()
    .where('org_id', '=', work.org)
    .where('key', 'in', wanted)
    .$if(hold === 'hold', (query) => query.orderBy('id').forKeyShare())
    .execute();
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const found = new Map<string, Selectable<PropertyConfigs>>();
  for (const key of keys) {
    const config = byKey.get(key) ?? byKey.get(toSnakeCase(key));
    if (config !== undefined) found.set(key, config);
  }
  return found;
}
