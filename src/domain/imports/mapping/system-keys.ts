import { Person } from '../../people/record/person.ts';
import { isReservedKey, toSnakeCase } from '../../properties/property-config.ts';
import { personFields } from '../../filters/person-fields.ts';
import { FieldTarget } from '../record/mapping.ts';

const builtIn: ReadonlySet<string> = new Set([
  ...Object.keys(Person.shape),
  ...personFields,
  ...FieldTarget.options,
  'email_opt_out',
  'sms_opt_out',
]);

const isField = (key: string): boolean => FieldTarget.safeParse(key).success;

/** Why a key is reserved for the service, and what to do instead; undefined if it is free. */
export function refuseSystemKey(key: string): string | undefined {
  const snake = toSnakeCase(key);
  if (isReservedKey(key) || isReservedKey(snake))
    return 'Keys of the form webinar_<outcome>_<session uuid> belong to the service. Choose another, or skip.';
  const field = [key, snake].find((one) => builtIn.has(one));
  if (field === undefined) return undefined;
  return isField(field)
    ? `${field} is a built-in field, not a property. Send "${field}" itself as the target.`
    : `${field} is a built-in field that the service keeps. Choose another key, or skip.`;
}
