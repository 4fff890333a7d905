import { z } from 'zod';
import { limits } from '../../kernel/limits.ts';
import type { PropertyPlace } from '../properties/property-place.ts';
import { personFields, type PersonField, type ServiceField } from './person-fields.ts';

export const comparisons = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'] as const;
export type Comparison = (typeof comparisons)[number];

export const operators = [...comparisons, 'contains', 'in', 'is_empty', 'is_not_empty'] as const;
export type Operator = (typeof operators)[number];

const mostConditions = 20;
const mostText = 8_192; // as long as a custom property's value can be

/** A condition as callers send it. What its operator and value may be depends on the field: see parse-condition. */
export const SentCondition = z
  .strictObject({
    property: z.enum(personFields).optional().describe('A built-in field; or else custom_property_key.'),
    custom_property_key: z.string().min(1).max(100).optional(),
    op: z.enum(operators),
    value: z
      .unknown()
      .optional()
      .meta({
        type: ['string', 'number', 'boolean'],
        description:
          'Needed by every op but in, is_empty and is_not_empty. A date is ISO 8601, now, or now-7d, now+12h; ' +
          "without a zone it is read in the organization's.",
      }),
    values: z.array(z.string().max(mostText)).min(1).max(limits.values_of_in).optional().describe('For in.'),
  })
  .meta({ id: 'FilterCondition' });
export type SentCondition = z.infer<typeof SentCondition>;

export const SentFilters = z
  .array(SentCondition)
  .min(1)
  .max(mostConditions)
  .describe('All must match; there is no OR. Such as [{"property": "mrr", "op": "gt", "value": 10}].');

/** A condition as it is stored and reads back: what was sent, or one of the service's own. */
export const StoredCondition = z
  .object({
    property: z.string().optional(),
    custom_property_key: z.string().optional(),
    op: z.enum(operators),
    value: z.union([z.string(), z.number(), z.boolean()]).optional(),
    values: z.array(z.string()).optional(),
  })
  .meta({ id: 'StoredCondition' });
export type StoredCondition = z.infer<typeof StoredCondition> & {
  /** The config's key, where the key that was sent differs in spelling. Not shown when read back. */
  readonly resolved_key?: string;
};

export const isTextWithin = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= mostText;

/** What is asked of a value, once it is known to be of the right type. */
export type Test =
  | { readonly type: 'number'; readonly op: Comparison; readonly value: number }
  | { readonly type: 'date'; readonly op: Exclude<Comparison, 'eq' | 'neq'>; readonly value: Date }
  | { readonly type: 'boolean'; readonly op: 'eq'; readonly value: boolean }
  | { readonly type: 'text'; readonly op: 'eq' | 'neq'; readonly value: string }
  | { readonly type: 'text'; readonly op: 'contains'; readonly value: string }
  | { readonly type: 'text'; readonly op: 'in'; readonly values: readonly string[] }
  | { readonly type: 'text'; readonly op: 'is_empty' }
  | { readonly type: 'text'; readonly op: 'is_not_empty' };

export type PersonTest = Exclude<Test, { type: 'boolean' }>;
export type PropertyTest = Exclude<Test, { type: 'date' }>;

/** A condition ready to be evaluated. `nobody`: the property it asks about is gone. */
export type Condition =
  | { readonly on: 'person'; readonly field: PersonField; readonly test: PersonTest }
  | {
      readonly on: 'property';
      readonly config: string;
      readonly place: PropertyPlace;
      readonly hasLongTexts: boolean;
      readonly test: PropertyTest;
    }
  | { readonly on: 'service'; readonly field: ServiceField }
  | { readonly on: 'nobody' };
