// What is asked, as a caller sends it and as one would write it by hand. The seeded properties' places: numbers seats n0,
// score n1, logins n2, storage_gb n3, nps n4, projects n5, invoices n6; booleans newsletter b0, beta b1, onboarded b2,
// partner b3; texts plan_tier t0, company t1, city t2, job_title t3, industry t4, country t5, referral_code t6,
// renews_on t7, and notes alone on the second page.

export interface Case {
  readonly name: string;
  readonly filters: readonly Record<string, unknown>[];
  /** Everything after FROM, by hand: over `people p`, `property_page_0 a` and `property_page_1 b`. $1: organization. */
  readonly hand: {
    /** For a count: leaves people out where pages alone can tell. */
    readonly count: string;
    /** For those people themselves: must have p. */
    readonly members: string;
  };
}

const people = 'people p where p.org_id = $1';
const withPage =
  'people p join property_page_0 a on a.org_id = $1 and a.person_id = p.id where p.org_id = $1';
const pageAlone = 'property_page_0 a where a.org_id = $1';

const custom = (key: string, op: string, value?: unknown): Record<string, unknown> => ({
  custom_property_key: key,
  op,
  ...(value !== undefined && { value }),
});
const field = (property: string, op: string, value?: unknown): Record<string, unknown> => ({
  property,
  op,
  ...(value !== undefined && { value }),
});

const five = `a.n1 > 100 and a.t2 is distinct from 'City 7' and a.b0
  and p.subscription_status in ('active', 'trialing') and lower(p.last_name collate "C") like '%o%'`;
const twentyOfPage = `a.n0 >= 2 and a.n1 > 10 and a.t2 is distinct from 'City 7' and a.n2 >= 10 and a.n4 >= 1
  and a.t4 is distinct from 'Media' and a.t5 is distinct from 'KE' and not a.b1 and a.t1 is not null`;
const twentyOfPerson = `p.email_engagement_score >= 5 and p.health_score >= 5 and p.primary_email is not null
  and p.health_trend is distinct from 'falling' and p.created_at > '2020-01-01T00:00:00Z'
  and p.created_at <= '2100-01-01T00:00:00Z' and p.primary_contact_method = 'email' and p.mrr >= 0 and p.ltv >= 0
  and p.primary_phone is not null`;
const twenty = `people p join property_page_0 a on a.org_id = $1 and a.person_id = p.id
  join property_page_1 b on b.org_id = $1 and b.person_id = p.id
  where p.org_id = $1 and ${twentyOfPerson} and ${twentyOfPage} and lower(b.t0 collate "C") like '%prices%'`;

const both = (from: string): Case['hand'] => ({ count: from, members: from });

export const cases: readonly Case[] = [
  {
    name: '1 selective',
    filters: [field('mrr', 'gte', 57)],
    hand: both(`${people} and p.mrr >= 5700`),
  },
  {
    name: '1 broad',
    filters: [field('email_engagement_score', 'gte', 10)],
    hand: both(`${people} and p.email_engagement_score >= 10`),
  },
  {
    name: '1 contains',
    filters: [field('last_name', 'contains', 'OW')],
    hand: both(`${people} and lower(p.last_name collate "C") like '%ow%'`),
  },
  {
    name: '1 anti-match',
    filters: [field('health_band', 'neq', 'critical')],
    hand: both(`${people} and p.health_band is distinct from 'critical'`),
  },
  {
    name: '1 custom number',
    filters: [custom('score', 'gt', 500)],
    hand: { count: `${pageAlone} and a.n1 > 500`, members: `${withPage} and a.n1 > 500` },
  },
  {
    name: '1 custom text, selective',
    filters: [custom('company', 'eq', 'Company 17')],
    hand: { count: `${pageAlone} and a.t1 = 'Company 17'`, members: `${withPage} and a.t1 = 'Company 17'` },
  },
  {
    name: '1 custom contains',
    filters: [custom('city', 'contains', 'TY 3')],
    hand: {
      count: `${pageAlone} and lower(a.t2 collate "C") like '%ty 3%'`,
      members: `${withPage} and lower(a.t2 collate "C") like '%ty 3%'`,
    },
  },
  {
    name: '1 custom anti-match',
    filters: [custom('plan_tier', 'neq', 'pro')],
    hand: both(`${people} and not exists (
      select 1 from property_page_0 a where a.org_id = $1 and a.person_id = p.id and a.t0 = 'pro')`),
  },
  {
    name: '5 of both kinds',
    filters: [
      custom('score', 'gt', 100),
      custom('city', 'neq', 'City 7'),
      custom('newsletter', 'eq', true),
      { property: 'subscription_status', op: 'in', values: ['active', 'trialing'] },
      field('last_name', 'contains', 'o'),
    ],
    hand: both(`${withPage} and ${five}`),
  },
  {
    name: '20 of both kinds',
    filters: [
      custom('seats', 'gte', 2),
      custom('score', 'gt', 10),
      custom('city', 'neq', 'City 7'),
      custom('logins', 'gte', 10),
      custom('nps', 'gte', 1),
      custom('industry', 'neq', 'Media'),
      custom('country', 'neq', 'KE'),
      custom('beta', 'eq', false),
      custom('company', 'is_not_empty'),
      custom('notes', 'contains', 'PRICES'),
      field('email_engagement_score', 'gte', 5),
      field('health_score', 'gte', 5),
      field('primary_email', 'is_not_empty'),
      field('health_trend', 'neq', 'falling'),
      field('created_at', 'gt', '2020-01-01T00:00:00Z'),
      field('created_at', 'lte', '2100-01-01T00:00:00Z'),
      field('primary_contact_method', 'eq', 'email'),
      field('mrr', 'gte', 0),
      field('ltv', 'gte', 0),
      field('primary_phone', 'is_not_empty'),
    ],
    hand: both(twenty),
  },
];

/** The broadest: nearly everybody, by a property. */
export const broadest = cases.find(({ name }) => name === '1 custom number')!;
