import type { Work } from '../../../database/work.ts';
import { countInTheWay, mostConfigs } from '../../properties/create-property-config.ts';
import { digestOf } from './fingerprint.ts';
import type { MappedProperty, Mapping } from '../record/mapping.ts';

/** The configs that a mapping relies on, as they are now. */
export interface MappedConfigs {
  readonly toCreate: readonly MappedProperty[];
  readonly digest: string;
  /** Why nothing can be committed; null if it can. */
  readonly blocked: string | null;
}

export async function readMappedConfigs(work: Work, { properties }: Mapping): Promise<MappedConfigs> {
  const { db, org } = work;
  if (properties.length === 0) return { toCreate: [], digest: digestOf([]), blocked: null };
  const configs = await db
    .selectFrom('property_configs')
    .select(['id', 'key', 'type'])
    .where('org_id', '=', org)
    .execute();
  const byKey = new Map(configs.map((config) => [config.key, config]));
  const toCreate = properties.filter(({ config_id }) => config_id === null);
  const gone = properties.filter(
    ({ key, config_id }) => config_id !== null && byKey.get(key)?.id !== config_id,
  );
  const taken = toCreate.filter(({ key }) => byKey.has(key));
  const hasRoom =
    toCreate.length === 0 || configs.length + toCreate.length + (await countInTheWay(work)) <= mostConfigs;
  return {
    toCreate,
    digest: digestOf([properties.map(({ key }) => byKey.get(key) ?? null), hasRoom]),
    blocked: whyBlocked(gone, taken, hasRoom),
  };
}

function whyBlocked(
  gone: readonly MappedProperty[],
  taken: readonly MappedProperty[],
  hasRoom: boolean,
): string | null {
  const keys = (of: readonly MappedProperty[]) => of.map(({ key }) => key).join(', ');
  if (gone.length > 0)
    return `No property config exists any more for: ${keys(gone)}. Save another mapping with set_import_mapping.`;
  if (taken.length > 0)
    return `These keys have a property config by now: ${keys(taken)}. Map to { property: key } with set_import_mapping.`;
  if (!hasRoom)
    return `An organization may have ${mostConfigs} property configs. Delete one, or map a new property to skip.`;
  return null;
}
