import type { Work } from '../../database/work.ts';
import { invalidRequest, type FieldError } from '../../kernel/failure.ts';
import type { SegmentId } from '../../kernel/ids.ts';
import { findConfigs, type PropertyType } from '../properties/property-config.ts';
import { placeOf } from '../properties/property-place.ts';
import type { Condition, SentCondition, StoredCondition } from './condition.ts';
import { readLocalDates } from './local-dates.ts';
import { parseCondition, type Configs } from './parse-condition.ts';
import { serviceFields, type ServiceField } from './person-fields.ts';
import { filtersOf, requireSegment } from './stored-segment.ts';

export interface ReadFilters {
  readonly conditions: readonly Condition[];
  /** An error for each condition that is wrong. */
  readonly errors: readonly FieldError[];
}

/**
 * Conditions that were just sent, and what to store of them; or a refusal that names every invalid one and the valid
 * choices.
 */
export async function acceptFilters(
  work: Work,
  asSent: readonly SentCondition[],
): Promise<{ conditions: readonly Condition[]; stored: string; warnings: readonly FieldError[] }> {
  const { filters: sent, warnings } = await readLocalDates(work, asSent);
  const found = await findConfigs(work, keysOf(sent));
  const { conditions, errors } = judge(sent, known(found), work.now);
  if (errors.length > 0) throw invalidRequest(await nameKeys(work, errors));
  const stored = sent.map((condition) => {
    const key = found.get(condition.custom_property_key ?? '')?.key;
    return key === condition.custom_property_key ? condition : { ...condition, resolved_key: key };
  });
  return { conditions, stored: JSON.stringify(stored), warnings };
}

/**
 * Conditions as they stand now. One that was right when it was stored and asks about a property that is gone, or that
 * came back as another type, matches no one: a message must not go to more people because a property was deleted.
 */
export async function readFilters(work: Work, stored: readonly StoredCondition[]): Promise<ReadFilters> {
  const resolved = stored.map(resolve);
  return judge(resolved, await exactConfigs(work, resolved), work.now);
}

/** What a segment asks of its members, as it stands now. */
export async function membersOf(work: Work, id: SegmentId): Promise<readonly Condition[]> {
  const { conditions } = await readFilters(work, filtersOf(await requireSegment(work, id)));
  return conditions;
}

/** The conditions of each of many segments, as they stand now, over one read of the configs. */
export async function conditionsOf(
  work: Work,
  segments: readonly (readonly StoredCondition[])[],
): Promise<(readonly Condition[])[]> {
  const resolved = segments.map((stored) => stored.map(resolve));
  const configs = await exactConfigs(work, resolved.flat());
  return resolved.map((stored) => judge(stored, configs, work.now).conditions);
}

/** What is wrong with the conditions of each of many segments, over one read of the configs. */
export async function warningsOf(
  work: Work,
  segments: readonly (readonly StoredCondition[])[],
): Promise<(readonly FieldError[])[]> {
  const resolved = segments.map((stored) => stored.map(resolve));
  const configs = await exactConfigs(work, resolved.flat());
  return resolved.map((stored) => judge(stored, configs, work.now).errors);
}

/** Uses the key that was accepted: after its config is deleted, one of similar spelling must not take its place. */
const resolve = ({ resolved_key, ...condition }: StoredCondition): StoredCondition =>
  resolved_key === undefined ? condition : { ...condition, custom_property_key: resolved_key };

function judge(
  filters: readonly (SentCondition | StoredCondition)[],
  configs: Configs,
  now: Date,
): { conditions: Condition[]; errors: FieldError[] } {
  const conditions: Condition[] = [];
  const errors: FieldError[] = [];
  for (const [index, filter] of filters.entries()) {
    const parsed = isService(filter.property)
      ? ({ on: 'service', field: filter.property } as const)
      : parseCondition(filter, configs, now);
    if ('on' in parsed) {
      conditions.push(parsed);
    } else {
      const { at, ...wrong } = parsed;
      conditions.push({ on: 'nobody' });
      errors.push({ pointer: `/filters/${index}${at === '' ? '' : `/${at}`}`, ...wrong });
    }
  }
  return { conditions, errors };
}

const isService = (property: string | undefined): property is ServiceField =>
  serviceFields.includes(property as ServiceField);

const keysOf = (filters: readonly Pick<StoredCondition, 'custom_property_key'>[]): string[] =>
  filters.flatMap(({ custom_property_key }) => custom_property_key ?? []);

async function exactConfigs(work: Work, filters: readonly StoredCondition[]): Promise<Configs> {
  const found = await findConfigs(work, keysOf(filters));
  return known(new Map([...found].filter(([key, config]) => key === config.key)));
}

const known = (found: Awaited<ReturnType<typeof findConfigs>>): Configs =>
  new Map(
    [...found].map(([key, { id, type, slot, has_long_texts }]) => {
      const is = type as PropertyType;
      return [key, { id, type: is, place: placeOf(is, slot), hasLongTexts: has_long_texts }];
    }),
  );

const namedInSentence = 30;

/** The error about an unknown key lists the known keys. */
async function nameKeys(work: Work, errors: readonly FieldError[]): Promise<FieldError[]> {
  if (!errors.some(({ code }) => code === 'unknown_property')) return [...errors];
  const rows = await work.db
    .selectFrom('property_configs')
    .select('key')
    .where('org_id', '=', work.org)
    .orderBy('key')
    .execute();
  const allowed = rows.map(({ key }) => key);
  const named = allowed.slice(0, namedInSentence).join(', ');
  const advice =
    allowed.length === 0
      ? 'This organization has no custom properties yet.'
      : `Use one of: ${named}${allowed.length > namedInSentence ? ', … (all in allowed)' : ''}.`;
  return errors.map((error) =>
    error.code === 'unknown_property' ? { ...error, detail: `${error.detail} ${advice}`, allowed } : error,
  );
}
