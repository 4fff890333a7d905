import type { Work } from '../../database/work.ts';
import { anEmail } from '../identifiers/identifier.ts';
import type { LeftOut } from '../properties/left-out.ts';
import { findConfigs, toSnakeCase } from '../properties/property-config.ts';
import { isPersonField } from '../segments/person-fields.ts';
import type { Registrant } from './registrant.ts';

/** By the names of built-in fields, those of them that a registration fills. */
const filled = new Map<string, 'first_name' | 'last_name' | 'email' | 'phone'>([
  ['first_name', 'first_name'],
  ['last_name', 'last_name'],
  ['email', 'email'],
  ['primary_email', 'email'],
  ['phone', 'phone'],
  ['primary_phone', 'phone'],
]);
const longest = { first_name: 200, last_name: 200, email: 320, phone: 512 };

const isBuiltIn = (key: string): boolean => isPersonField(toSnakeCase(key)) || filled.has(toSnakeCase(key));

/**
 * Properties with the name of a built-in field go into it where a registration fills it and did not say it otherwise.
 * The rest are left out: a config beside a field of the same name would hide one from the other. One that an
 * organization has made nevertheless keeps its values.
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

const fits = (field: keyof typeof longest, value: string): boolean =>
  value !== '' && value.length <= longest[field] && (field !== 'email' || anEmail.test(value));
