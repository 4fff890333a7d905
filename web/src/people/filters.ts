import filters from 'virtual:filters';
import type { PeopleSearch } from './search.ts';

export type FilterName = Exclude<
  keyof PeopleSearch,
  'sort' | 'order' | 'offset' | 'find' | 'person' | 'segment_id' | 'view' | 'columns'
>;

export interface Filter {
  readonly name: FilterName;
  readonly label: string;
  readonly says: string;
  readonly control: 'choice' | 'money' | 'date' | 'text';
  readonly choices?: readonly string[];
}

const choicesOf = (field: string): readonly string[] =>
  filters.fields.find(({ name }) => name === field)?.choices ?? [];

/** Every filter that a list of people has, with the words it is shown in. */
export const peopleFilters: readonly Filter[] = [
  {
    name: 'subscription_status',
    label: 'Subscription',
    says: 'is',
    control: 'choice',
    choices: choicesOf('subscription_status'),
  },
  { name: 'health_band', label: 'Health', says: 'is', control: 'choice', choices: choicesOf('health_band') },
  {
    name: 'payment_processor',
    label: 'Payment processor',
    says: 'is',
    control: 'choice',
    choices: choicesOf('payment_processor'),
  },
  { name: 'mrr_gte', label: 'MRR', says: 'at least', control: 'money' },
  { name: 'mrr_lte', label: 'MRR', says: 'at most', control: 'money' },
  { name: 'ltv_gte', label: 'Lifetime value', says: 'at least', control: 'money' },
  { name: 'ltv_lte', label: 'Lifetime value', says: 'at most', control: 'money' },
  { name: 'created_after', label: 'Created', says: 'after', control: 'date' },
  { name: 'created_before', label: 'Created', says: 'before', control: 'date' },
  { name: 'identified', label: 'Identified', says: 'is', control: 'choice', choices: ['true', 'false'] },
  { name: 'email', label: 'Primary email', says: 'is', control: 'text' },
  { name: 'external_user_id', label: 'External id', says: 'is', control: 'text' },
];
