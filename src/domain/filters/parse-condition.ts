import type { PropertyType } from '../properties/property-config.ts';
import type { PropertyPlace } from '../properties/property-place.ts';
import type { Condition, PersonTest, PropertyTest, SentCondition, StoredCondition } from './condition.ts';
import { parseTest, type Wrong } from './parse-test.ts';
import { isPersonField, kindOf } from './person-fields.ts';

const kindOfProperty = { string: 'text', number: 'number', boolean: 'boolean' } as const;

interface KnownConfig {
  readonly id: string;
  readonly type: PropertyType;
  readonly place: PropertyPlace;
  readonly hasLongTexts: boolean;
}

/** The custom properties there are, by the keys that conditions name. */
export type Configs = ReadonlyMap<string, KnownConfig>;

/** The condition as one typed value, dates as they stand at `now`; or what is wrong with it. */
export function parseCondition(
  sent: SentCondition | StoredCondition,
  configs: Configs,
  now: Date,
): Condition | Wrong {
  if ((sent.property === undefined) === (sent.custom_property_key === undefined)) {
    const detail = 'Name either property or custom_property_key, not both and not neither.';
    return { at: '', code: 'one_field', detail, allowed: ['property', 'custom_property_key'] };
  }
  if (sent.property !== undefined) {
    if (!isPersonField(sent.property)) {
      return { at: 'property', code: 'unknown_field', detail: 'There is no such field to filter by.' };
    }
    const field = sent.property;
    const test = parseTest(sent, kindOf(field), now, field);
    return 'code' in test ? test : { on: 'person', field, test: test as PersonTest };
  }
  const config = configs.get(sent.custom_property_key!);
  if (config === undefined) {
    const detail = 'No property config has this key.';
    return { at: 'custom_property_key', code: 'unknown_property', detail };
  }
  const test = parseTest(sent, kindOfProperty[config.type], now);
  return 'code' in test
    ? test
    : {
        on: 'property',
        config: config.id,
        place: config.place,
        hasLongTexts: config.hasLongTexts,
        test: test as PropertyTest,
      };
}
