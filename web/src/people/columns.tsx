import type { ReactNode } from 'react';
import type { Input } from '../call/types.ts';
import { money } from '../format/number.ts';
import { ago } from '../format/time.ts';
import type { ListedPerson, Sort } from './use-people.ts';

export type ColumnName = NonNullable<Input<'save_people_view'>['columns']>[number];

interface Shown {
  readonly currency: string;
  readonly zone: string;
  readonly now: Date;
}

export interface Column {
  readonly name: ColumnName;
  readonly label: string;
  readonly sort?: Sort;
  readonly width: number;
  readonly isNumber?: boolean;
  readonly show: (person: ListedPerson, how: Shown) => ReactNode;
}

const none = <span className="muted">—</span>;
/** Nothing while it is not known whether there is something. */
const noneYet = (value: null | undefined): ReactNode => (value === null ? none : null);
const words = (text: string | null): ReactNode => (text === null ? none : text.replaceAll('_', ' '));

/** What can stand beside a person's name. */
export const columns: readonly Column[] = [
  {
    name: 'health_band',
    label: 'Health',
    width: 112,
    show: ({ health_band }) =>
      health_band == null ? (
        noneYet(health_band)
      ) : (
        <span className={`band ${health_band}`}>{health_band}</span>
      ),
  },
  {
    name: 'email_engagement_score',
    label: 'Engagement',
    width: 116,
    isNumber: true,
    show: ({ email_engagement_score: score }) =>
      score == null ? (
        noneYet(score)
      ) : (
        <span className="scored">
          <span className="meter" aria-hidden="true">
            <i style={{ width: `${score}%` }} />
          </span>
          <span>{score}</span>
        </span>
      ),
  },
  {
    name: 'mrr',
    label: 'MRR',
    sort: 'mrr',
    width: 88,
    isNumber: true,
    show: ({ mrr }, { currency }) => money(mrr, currency),
  },
  {
    name: 'last_opened_at',
    label: 'Last opened',
    sort: 'last_opened_at',
    width: 132,
    isNumber: true,
    show: ({ last_opened_at: at }, { zone, now }) => (
      <span className="muted" title={at ?? undefined}>
        {at == null ? (at === null ? 'Never' : '') : ago(new Date(at), zone, now)}
      </span>
    ),
  },
  {
    name: 'subscription_status',
    label: 'Subscription',
    width: 124,
    show: ({ subscription_status }) => words(subscription_status),
  },
  {
    name: 'ltv',
    label: 'Lifetime value',
    sort: 'ltv',
    width: 128,
    isNumber: true,
    show: ({ ltv }, { currency }) => money(ltv, currency),
  },
  {
    name: 'created_at',
    label: 'Known since',
    sort: 'created_at',
    width: 132,
    isNumber: true,
    show: ({ created_at }, { zone, now }) => (
      <span className="muted" title={created_at}>
        {ago(new Date(created_at), zone, now)}
      </span>
    ),
  },
  { name: 'primary_phone', label: 'Phone', width: 148, show: ({ primary_phone }) => primary_phone ?? none },
  {
    name: 'external_user_id',
    label: 'External id',
    width: 148,
    show: ({ external_user_id }) => external_user_id ?? none,
  },
  {
    name: 'payment_processor',
    label: 'Payment processor',
    width: 144,
    show: ({ payment_processor }) => words(payment_processor),
  },
];

const usual: readonly ColumnName[] = ['health_band', 'email_engagement_score', 'mrr', 'last_opened_at'];

/** The columns that the address names, in their order; the usual ones if it names none. */
export function columnsOf(named: string | undefined): readonly Column[] {
  const names = named === undefined ? usual : named.split(',');
  return columns.filter(({ name }) => names.includes(name));
}

/** As the address has it: nothing for the usual ones. */
export function addressOf(names: readonly string[]): string | undefined {
  const ordered = columns.map(({ name }) => name).filter((name) => names.includes(name));
  return ordered.join() === usual.join() ? undefined : ordered.join();
}
