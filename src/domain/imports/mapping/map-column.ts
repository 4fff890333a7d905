import type { z } from 'zod';
import { explainIssue } from '../../../kernel/explain-issue.ts';
import type { FieldError } from '../../../kernel/failure.ts';
import { escapePointer } from '../../../kernel/hostile-text.ts';
import {
  FieldTarget,
  NewPropertyTarget,
  PropertyTarget,
  type MappedProperty,
  type Target,
} from '../record/mapping.ts';
import type { Properties } from './known-properties.ts';
import { refuseSystemKey } from './system-keys.ts';

/** A column whose target was understood. */
export type MappedColumn = { readonly column: string } & (
  | { readonly target: FieldTarget; readonly property: null }
  | { readonly target: Exclude<Target, FieldTarget>; readonly property: MappedProperty }
);

type Mapped = MappedColumn | { readonly errors: readonly FieldError[] };

export const pointerTo = (column: string): string => `/mapping/${escapePointer(column)}`;

/** What one entry of a mapping means in this organization. */
export function mapColumn(column: string, sent: unknown, properties: Properties): Mapped {
  const refuse = (code: string, detail: string, allowed?: readonly string[]): Mapped => ({
    errors: [{ pointer: pointerTo(column), code, detail, ...(allowed !== undefined && { allowed }) }],
  });
  const field = FieldTarget.safeParse(sent);
  if (field.success) return { column, target: field.data, property: null };
  if (isObjectWith(sent, 'new_property')) {
    const parsed = NewPropertyTarget.safeParse(sent, { error: explainIssue });
    if (!parsed.success) return { errors: readable(column, parsed.error) };
    const { new_property: made } = parsed.data;
    const refusal = refuseSystemKey(made.key);
    if (refusal !== undefined) return refuse('system_key', refusal);
    if (properties.byKey.has(made.key))
      return refuse(
        'property_exists',
        `${made.key} has a config already. Use { "property": "${made.key}" }.`,
      );
    return { column, target: parsed.data, property: { column, ...made, config_id: null } };
  }
  if (isObjectWith(sent, 'property')) {
    const parsed = PropertyTarget.safeParse(sent, { error: explainIssue });
    if (!parsed.success) return { errors: readable(column, parsed.error) };
    const { property: key } = parsed.data;
    const config = properties.find(key);
    if (config !== undefined) {
      const property = {
        column,
        key: config.key,
        name: config.name,
        type: config.type,
        config_id: config.id,
      };
      return { column, target: { property: config.key }, property };
    }
    const refusal = refuseSystemKey(key);
    if (refusal !== undefined) return refuse('system_key', refusal);
    const closest = properties.closest(key);
    return closest === undefined
      ? refuse('unknown_property', 'There are no properties yet. Use new_property to make one, or skip.')
      : refuse('unknown_property', `There is no property with this key. The closest is ${closest}.`, [
          closest,
        ]);
  }
  const detail =
    `Must be one of: ${FieldTarget.options.join(', ')}; or { "property": key }, or ` +
    '{ "new_property": { "key": "seats", "name": "Seats", "type": "number" } }.';
  return refuse('unknown_target', detail, FieldTarget.options);
}

const isObjectWith = (sent: unknown, name: string): boolean =>
  typeof sent === 'object' && sent !== null && Object.hasOwn(sent, name);

/** The schema's issues, with pointers into what was sent. */
const readable = (column: string, { issues }: z.ZodError): FieldError[] =>
  issues.map((issue) => {
    const steps = [...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])];
    const pointer =
      pointerTo(column) + steps.map((step) => `/${escapePointer(String(step)).slice(0, 100)}`).join('');
    if (issue.code === 'unrecognized_keys')
      return { pointer, code: 'unknown_field', detail: 'There is no such field here.' };
    if (issue.code !== 'invalid_value') return { pointer, code: issue.code, detail: issue.message };
    const allowed = issue.values.map(String);
    return { pointer, code: issue.code, detail: `Must be one of: ${allowed.join(', ')}.`, allowed };
  });
