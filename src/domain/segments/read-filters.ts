import type { Work } from '../../database/work.ts';
import { invalidRequest, type FieldError } from '../../kernel/failure.ts';
import type { SegmentId } from '../../kernel/ids.ts';
import { findConfigs, type PropertyType } from '../properties/property-config.ts';
import { placeOf } from '../properties/property-place.ts';
import type { Condition, SentCondition, StoredCondition } from './condition.ts';
import { parseCondition, type Configs } from './parse-condition.ts';
import { serviceFields, type ServiceField } from './person-fields.ts';
import { filtersOf, requireSegment } from './segment.ts';

export interface ReadFilters {
  readonly conditions: readonly Condition[];
  /** What is wrong with each condition that is. */
  readonly errors: readonly FieldError[];
}

/** Conditions that were just sent, or a refusal that names every one that cannot be and what it could be. */
export async function acceptFilters(work: Work, sent: readonly SentCondition[]): Promise<Condition[]> {
  const { conditions, errors } = judge(sent, await configsFor(work, sent), work.now);
  if (errors.length === 0) return conditions;
  throw invalidRequest(await nameKeys(work, errors));
}

/**
 * Conditions as they stand now. One that was right when it was stored and asks about a property that is gone, or that
 * came back as another type, matches nobody: a message must not go to more people because a property was deleted.
 */
export async function readFilters(work: Work, stored: readonly StoredCondition[]): Promise<ReadFilters> {
  return judge(stored, await configsFor(work, stored), work.now);
}

/** What a segment asks of its members, as it stands now. */
export async function membersOf(work: Work, id: SegmentId): Promise<readonly Condition[]> {
  const { conditions } = await readFilters(work, filtersOf(await requireSegment(work, id)));
  return conditions;
}

/** The same for many segments, over one read of the configs. */
export async function warningsOf(
  work: Work,
  segments: readonly (readonly StoredCondition[])[],
): Promise<(readonly FieldError[])[]> {
  const configs = await configsFor(work, segments.flat());
  return segments.map((stored) => judge(stored, configs, work.now).errors);
}

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

async function configsFor(
  work: Work,
  filters: readonly Pick<StoredCondition, 'custom_property_key'>[],
): Promise<Configs> {
  const keys = filters.flatMap(({ custom_property_key }) => custom_property_key ?? []);
  const found = await findConfigs(work, keys);
  return new Map(
    [...found].map(([key, row]) => {
      const type = row.type as PropertyType;
      return [key, { id: row.id, type, place: placeOf(type, row.slot) }];
    }),
  );
}

const namedInSentence = 30;

/** An unknown key is answered with the keys there are. */
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
  const known =
    allowed.length === 0
      ? 'This organization has no custom properties yet.'
      : `Use one of: ${named}${allowed.length > namedInSentence ? ', … (all in allowed)' : ''}.`;
  return errors.map((error) =>
    error.code === 'unknown_property' ? { ...error, detail: `${error.detail} ${known}`, allowed } : error,
  );
}
