import { z } from 'zod';
import { writtenFields } from '../../person-fields/fields.ts';
import type { PropertyScalar } from '../../properties/property-value.ts';
import { PropertyType } from '../../properties/property-config.ts';
import type { IdentifierType } from '../../identifiers/identifier.ts';

/** A row's identifiers in lookup order; the further addresses of a person come last. */
export const identifierTargets = [
  ['external_user_id', 'org_assigned_user_id'],
  ['payment_customer_id', 'payment_customer_id'],
  ['email', 'email'],
  ['anonymous_id', 'anonymous_id'],
  ['phone', 'phone'],
  ['alternate_email', 'email'],
  ['alternate_phone', 'phone'],
] as const satisfies readonly (readonly [string, IdentifierType])[];

/** Targets that identify a person. A further address is attached to the person these find, and is not enough alone. */
export const namingTargets: ReadonlySet<string> = new Set(
  identifierTargets.slice(0, 5).map(([target]) => target),
);

const consentTargets = ['subscribed_to_emails', 'unsubscribed_from_emails'] as const;

export const FieldTarget = z.enum([
  ...identifierTargets.map(([target]) => target),
  ...writtenFields,
  ...consentTargets,
  'skip',
] as const);
export type FieldTarget = z.infer<typeof FieldTarget>;

export const PropertyTarget = z.strictObject({ property: z.string().min(1).max(100) });

export const NewPropertyTarget = z.strictObject({
  new_property: z.strictObject({
    key: z
      .string()
      .max(100)
      .regex(
        /^[a-z][a-z0-9_]*$/,
        'Must be snake_case: small letters, digits and underscores, a letter first.',
      ),
    name: z.string().trim().min(1).max(200),
    type: PropertyType,
  }),
});

const anyTarget = z.union([FieldTarget, PropertyTarget, NewPropertyTarget]);

export const Target = anyTarget.meta({ id: 'ImportTarget' });
export type Target = z.infer<typeof Target>;

const { $schema: _, ...shown } = z.toJSONSchema(anyTarget, { io: 'input' });

/** Shows the schema, but map-column reads it: when no member of a union fits, a schema cannot say what would. */
export const SentTarget = z.unknown().meta(shown);

/** A property that the rows have values for. One without a config gets one at the commit. */
export interface MappedProperty {
  readonly column: string;
  readonly key: string;
  readonly name: string;
  readonly type: PropertyType;
  readonly config_id: string | null;
}

/** A mapping without errors, as stored. */
export interface Mapping {
  readonly targets: Readonly<Record<string, Target>>;
  /** In the order of the values of a staged row. */
  readonly properties: readonly MappedProperty[];
}

/** A row's value for each of the mapping's properties; null for a blank cell. */
export type MappedValues = readonly (PropertyScalar | null)[];
