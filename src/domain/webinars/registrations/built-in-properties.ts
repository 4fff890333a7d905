import { z } from 'zod';
import type { Work } from '../../../database/work.ts';
import { anEmail } from '../../identifiers/identifier.ts';
import type { LeftOut } from '../../properties/left-out.ts';
import { findConfigs, toSnakeCase } from '../../properties/property-config.ts';
import { forWritten, writtenFields, type WrittenField } from '../../person-fields/fields.ts';
import { isPersonField } from '../../filters/person-fields.ts';
import type { Registrant } from './registrant.ts';

/** Names of built-in fields, with the field that a registration fills. */
const filled = new Map<string, WrittenField | 'email' | 'phone'>([
  ...writtenFields.map((field) => [field, field] as const),
  ['email', 'email'],
  ['primary_email', 'email'],
  ['phone', 'phone'],
  ['primary_phone', 'phone'],
]);
const inputs = {
  ...forWritten(({ input }) => input),
  email: z.string().max(320).regex(anEmail),
  phone: z.string().max(512),
};

const isBuiltIn = (key: string): boolean => isPersonField(toSnakeCase(key)) || filled.has(toSnakeCase(key));

/**
 * Moves a property named like a built-in field into that field, where a registration fills it and did not send it
 * otherwise. Leaves the rest out: a config beside a field of the same name would hide one from the other. A config that
 * an organization has made nevertheless keeps its values.
 */
export async function takeBuiltIns(
  work: Work,
  user: Registrant,
): Promise<{ user: Registrant; leftOut: LeftOut[] }> {
  const sent = user.properties ?? {};
  const named = Object.keys(sent).filter(isBuiltIn);
  const configs = await findConfigs(work, named);
  const properties = { ...sent };
  const taken = { ...user, properties };
  const leftOut: LeftOut[] = [];
  for (const key of named) {
    if (configs.has(key)) continue;
    const value = String(properties[key]).trim();
    delete properties[key];
    const field = filled.get(toSnakeCase(key));
    if (field === undefined || !fits(field, value) || (taken[field] ?? '') !== '')
      leftOut.push({ key, reason: 'built_in_field' });
    else taken[field] = field === 'email' ? value.toLowerCase() : value;
  }
  return { user: taken, leftOut };
}

const fits = (field: keyof typeof inputs, value: string): boolean =>
  value !== '' && inputs[field].safeParse(value).success;
