/** What people can be filtered by, as sections 2.7 and 2.10 of the specification list it. */
export const numberFields = ['mrr', 'ltv', 'email_engagement_score', 'health_score', 'score_change_7d'];
export const moneyFields: readonly string[] = ['mrr', 'ltv'];
export const dateFields = [
  'created_at',
  'first_payment_date',
  'next_payment_date',
  'cancels_at',
  'last_opened_at',
  'last_clicked_at',
  'last_replied_at',
];
export const textFields = [
  'first_name',
  'last_name',
  'primary_email',
  'primary_phone',
  'primary_contact_method',
  'org_assigned_user_id',
];
export const fixedValues: Readonly<Record<string, readonly string[]>> = {
  subscription_status:
    'incomplete incomplete_expired trialing active past_due canceled unpaid paused inactive'.split(' '),
  payment_processor: ['processor_a', 'processor_b', 'processor_c'],
  health_band: ['critical', 'low', 'moderate', 'healthy', 'power'],
  health_trend: ['rising', 'steady', 'falling'],
};

export type Kind = 'number' | 'date' | 'text' | 'fixed' | 'boolean';

export const operatorsOf: Readonly<Record<Kind, readonly string[]>> = {
  number: ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'],
  date: ['gt', 'gte', 'lt', 'lte'],
  text: ['eq', 'neq', 'contains', 'in', 'is_empty', 'is_not_empty'],
  fixed: ['eq', 'neq', 'in', 'is_empty', 'is_not_empty'],
  boolean: ['eq'],
};

export const kindOfField: ReadonlyMap<string, Kind> = new Map([
  ...numberFields.map((field): [string, Kind] => [field, 'number']),
  ...dateFields.map((field): [string, Kind] => [field, 'date']),
  ...textFields.map((field): [string, Kind] => [field, 'text']),
  ...Object.keys(fixedValues).map((field): [string, Kind] => [field, 'fixed']),
]);

export interface Condition {
  readonly property?: string;
  readonly custom_property_key?: string;
  readonly op: string;
  readonly value?: string | number | boolean;
  readonly values?: readonly string[];
}

export interface Config {
  readonly key: string;
  readonly type: 'string' | 'number' | 'boolean';
  /**
   * What becomes of it: most stay; doomed ones are deleted after segments that name them were made; late ones are made
   * after that, and stand where those stood; those beside are asked about by nobody.
   */
  readonly role: 'stays' | 'doomed' | 'late' | 'beside';
}

export const kindOfConfig = { string: 'text', number: 'number', boolean: 'boolean' } as const;

export interface Person {
  readonly id: string;
  /** By the names filters use; money in minor units. */
  readonly fields: Readonly<Record<string, string | number | Date | null>>;
  /** By config key: no entry where there is no row, null where it was cleared. */
  readonly properties: ReadonlyMap<string, string | number | boolean | null>;
  readonly createdAt: Date;
  readonly optOuts: { readonly email: boolean; readonly sms: boolean } | null;
  readonly blacklisted: boolean;
  /** Where email goes to: the primary address where it is the contact method, else another that may be written to. */
  readonly mailAddress: string | null;
}

/** An organization as a test knows it. */
export interface Population {
  readonly currency: string;
  /** How many digits of an amount are minor units. */
  readonly minorDigits: number;
  readonly now: Date;
  readonly configs: readonly Config[];
  readonly people: readonly Person[];
}
