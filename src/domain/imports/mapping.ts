import { z } from 'zod';
import type { PropertyScalar } from '../properties/property-value.ts';
import { PropertyType } from '../properties/property-config.ts';
import type { IdentifierType } from '../identifiers/identifier.ts';

/** What a row calls a person by, in the order it is looked up; the further addresses of a person come last. */
export const identifierTargets = [
  ['external_user_id', 'org_assigned_user_id'],
  ['payment_customer_id', 'payment_customer_id'],
  ['email', 'email'],
  ['anonymous_id', 'anonymous_id'],
  ['phone', 'phone'],
  ['alternate_email', 'email'],
  ['alternate_phone', 'phone'],
] as const satisfies readonly (readonly [string, IdentifierType])[];

/** Those that say who somebody is. A further address is attached to whoever these found, and is not enough alone. */
export const namingTargets: ReadonlySet<string> = new Set(
  identifierTargets.slice(0, 5).map(([target]) => target),
);

const consentTargets = ['subscribed_to_emails', 'unsubscribed_from_emails'] as const;

export const FieldTarget = z.enum([
  ...identifierTargets.map(([target]) => target),
  'first_name',
  'last_name',
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

/** Shown as what it is, and read by map-column: of a union that does not fit, a schema cannot say what would be right. */
export const SentTarget = z.unknown().meta(shown);

/** A property that the rows have values for. One without a config gets it at the commit. */
export interface MappedProperty {
  readonly column: string;
  readonly key: string;
  readonly name: string;
  readonly type: PropertyType;
  readonly config_id: string | null;
}

/** A mapping that was found without errors, as it is kept. */
export interface Mapping {
  readonly targets: Readonly<Record<string, Target>>;
  /** In the order of the values of a staged row. */
  readonly properties: readonly MappedProperty[];
}

/** A value a row has for each of the mapping's properties; a blank cell is null. */
export type MappedValues = readonly (PropertyScalar | null)[];
