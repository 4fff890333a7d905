import type { Selectable } from 'kysely';
import type { PropertyConfigs } from '../../../database/tables.generated.ts';
import type { Work } from '../../../database/work.ts';
import { forWritten } from '../../person-fields/fields.ts';
import type { PropertyType } from '../../properties/property-config.ts';
import { FieldTarget, type Target } from '../record/mapping.ts';

export type Config = Pick<Selectable<PropertyConfigs>, 'id' | 'key' | 'name'> & {
  readonly type: PropertyType;
};

/** Every property of the organization; they are few enough to read at once. */
export async function readConfigs({ db, org }: Work): Promise<Config[]> {
  const rows = await db
    .selectFrom('property_configs')
    .select(['id', 'key', 'name', 'type'])
    .where('org_id', '=', org)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows as Config[];
}

export interface TargetEntry {
  readonly target: Target;
  readonly takes: string;
}

const takes: Readonly<Record<FieldTarget, string>> = {
  external_user_id: "Text: the organization's own id. Finds or makes the person.",
  payment_customer_id: 'Text. Finds or makes the person.',
  email: 'An email address. Finds or makes the person.',
  anonymous_id: 'Text. Finds or makes the person.',
  phone: 'Text. Finds or makes the person.',
  alternate_email: 'An email address. Attached as a further one.',
  alternate_phone: 'Text. Attached as a further phone.',
  ...forWritten((written) => written.takes),
  subscribed_to_emails: 'A clear yes or no. No opts out of email; yes changes nothing.',
  unsubscribed_from_emails: 'A clear yes or no. Yes opts out of email; no changes nothing.',
  skip: 'Anything. The column is left out.',
};

const newProperty: TargetEntry = {
  target: { new_property: { key: 'a_snake_case_key', name: 'A name', type: 'string' } },
  takes: 'A property that is made at the commit; its type is string, number or boolean.',
};

const values: Readonly<Record<PropertyType, string>> = {
  string: 'Text.',
  number: 'A number.',
  boolean: 'true or false, 1 or 0.',
};

/** Every target a column of this organization can have. */
export const listTargets = (configs: readonly Config[]): TargetEntry[] => [
  ...FieldTarget.options.map((target) => ({ target, takes: takes[target] })),
  ...configs.map(({ key, type }) => ({ target: { property: key }, takes: values[type] })),
  newProperty,
];
