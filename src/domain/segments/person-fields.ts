/** What a person can be filtered by, as the specification names it. */
export const numberFields = [
  'mrr',
  'ltv',
  'email_engagement_score',
  'health_score',
  'score_change_7d',
] as const;

export const dateFields = [
  'created_at',
  'first_payment_date',
  'next_payment_date',
  'cancels_at',
  'last_opened_at',
  'last_clicked_at',
  'last_replied_at',
] as const;

export const textFields = [
  'first_name',
  'last_name',
  'primary_email',
  'primary_phone',
  'primary_contact_method',
  'org_assigned_user_id',
] as const;

export const fixedValues = {
  subscription_status: [
    'incomplete',
    'incomplete_expired',
    'trialing',
    'active',
    'past_due',
    'canceled',
    'unpaid',
    'paused',
    'inactive',
  ],
  payment_processor: ['processor_a', 'processor_b', 'processor_c'],
  health_band: ['critical', 'low', 'moderate', 'healthy', 'power'],
  health_trend: ['rising', 'steady', 'falling'],
} as const;

export type NumberField = (typeof numberFields)[number];
export type DateField = (typeof dateFields)[number];
export type TextField = (typeof textFields)[number];
export type FixedField = keyof typeof fixedValues;
export type PersonField = NumberField | DateField | TextField | FixedField;

const fixedFields = Object.keys(fixedValues) as FixedField[];

/** Facts that only the service's own segments ask for: they read back, and nobody can send them. */
export const serviceFields = ['identified', 'opted_out'] as const;
export type ServiceField = (typeof serviceFields)[number];

export const personFields = [...numberFields, ...dateFields, ...textFields, ...fixedFields] as const;

export const isPersonField = (field: string): field is PersonField => kinds.has(field as PersonField);

export type FieldKind = 'number' | 'date' | 'text' | 'fixed';

export const kindOf = (field: PersonField): FieldKind => kinds.get(field)!;

const kinds = new Map<PersonField, FieldKind>([
  ...numberFields.map((field) => [field, 'number'] as const),
  ...dateFields.map((field) => [field, 'date'] as const),
  ...textFields.map((field) => [field, 'text'] as const),
  ...fixedFields.map((field) => [field, 'fixed'] as const),
]);
