import { z } from 'zod';
import type { Work } from '../../database/work.ts';
import { invalidRequest } from '../../kernel/failure.ts';
import { findConfigs, type PropertyType } from '../properties/property-config.ts';

/** What a page may ask for beside custom properties, with the words on it. */
export const builtInLabels = {
  full_name: 'Full name',
  first_name: 'First name',
  last_name: 'Last name',
  email: 'Email address',
  phone: 'Phone number',
} as const;
export type BuiltIn = keyof typeof builtInLabels;

const builtIns = Object.keys(builtInLabels) as [BuiltIn, ...BuiltIn[]];
const mostFields = 20;

const PageField = z
  .strictObject({
    field: z.enum(builtIns).optional().describe('A field that everybody has.'),
    property: z.string().min(1).max(100).optional().describe('The key of a custom property instead.'),
    label: z
      .string()
      .trim()
      .min(1)
      .max(120)
      .optional()
      .describe('The words above it, if not the usual ones.'),
    required: z.boolean().default(false).describe('Whether it must be filled in.'),
  })
  .refine(
    ({ field, property }) => (field === undefined) !== (property === undefined),
    'Send either field or property.',
  );
export type PageField = z.output<typeof PageField>;

const nameOf = ({ field, property }: PageField): string => field ?? `property ${property}`;

/** What a page asks, in order. Who cannot be reached would never get the link, so one way to is required. */
export const PageFields = z
  .array(PageField)
  .min(1)
  .max(mostFields)
  .refine((fields) => new Set(fields.map(nameOf)).size === fields.length, 'Ask for each field once.')
  .refine(
    (fields) => fields.some(({ field, required }) => required && (field === 'email' || field === 'phone')),
    'Email or phone must be there and required.',
  );

export const usualFields: readonly PageField[] = [
  { field: 'full_name', required: true },
  { field: 'email', required: true },
];

/** A field as a page shows it. */
export interface ShownField {
  /** The name of its input. */
  readonly name: string;
  readonly label: string;
  readonly required: boolean;
  readonly kind: BuiltIn | PropertyType;
  /** Of a custom property. */
  readonly key?: string;
}

/** The fields with their words. A property whose config was deleted since is not asked for. */
export async function showFields(work: Work, fields: readonly PageField[]): Promise<ShownField[]> {
  const configs = await findConfigs(work, keysOf(fields));
  return fields.flatMap(({ field, property, label, required }): ShownField[] => {
    if (field !== undefined)
      return [{ name: field, label: label ?? builtInLabels[field], required, kind: field }];
    const config = configs.get(property!);
    if (config === undefined) return [];
    const { key, name, type } = config;
    return [{ name: `property.${key}`, label: label ?? name, required, kind: type as PropertyType, key }];
  });
}

const keysOf = (fields: readonly PageField[]): string[] => fields.flatMap(({ property }) => property ?? []);

/** Every property that is asked for has a config. */
export async function requireConfigs(work: Work, fields: readonly PageField[]): Promise<void> {
  const configs = await findConfigs(work, keysOf(fields));
  const errors = fields.flatMap(({ property }, at) =>
    property === undefined || configs.get(property)?.key === property
      ? []
      : [
          {
            pointer: `/fields/${at}/property`,
            code: 'unknown_property',
            detail: `No custom property has the key ${property}. list_property_configs shows those there are.`,
          },
        ],
  );
  if (errors.length > 0) throw invalidRequest(errors);
}
