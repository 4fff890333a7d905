import { leastEngagement } from '../../src/domain/filters/engagement-score.ts';

// What is asked, as a caller sends it and as one would write it by hand. The seeded properties' places: numbers seats n0,
// score n1, logins n2, storage_gb n3, nps n4, projects n5, invoices n6; booleans newsletter b0, beta b1, onboarded b2,
// partner b3; texts plan_tier t0, company t1, city t2, job_title t3, industry t4, country t5, referral_code t6,
// renews_on t7, and notes alone on the second page.

// A score falls by itself, in days: what it takes to have one is the same throughout a run.
const now = new Date();

export interface Case {
  readonly name: string;
  readonly filters: readonly Record<string, unknown>[];
  /**
   * Everything after FROM, by hand, $1 the organization: over `people p`, or, where nothing is asked of the person, for
   * a count over the page alone. Of several forms the quickest counts.
   */
  readonly hand: { readonly count: readonly string[]; readonly members: readonly string[] };
}

const people = 'people p where p.org_id = $1';
const pageAlone = 'property_page_0 a where a.org_id = $1';

/** People who have a row on a page that meets this, joined and as a condition. */
const onPage = (meets: string, onPerson = 'true', further = 'true'): string[] => [
  `people p join property_page_0 a on a.org_id = $1 and a.person_id = p.id
    where p.org_id = $1 and ${onPerson} and ${meets} and ${further}`,
  `people p where p.org_id = $1 and ${onPerson} and exists (
    select 1 from property_page_0 a where a.org_id = $1 and a.person_id = p.id and ${meets}) and ${further}`,
];

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

const fiveOfPage = `a.n1 > 100 and a.t2 is distinct from 'City 7' and a.b0`;
const fiveOfPerson = `p.subscription_status in ('active', 'trialing') and fold_text(p.last_name) like '%o%'`;
const twentyOfPage = `a.n0 >= 2 and a.n1 > 10 and a.t2 is distinct from 'City 7' and a.n2 >= 10 and a.n4 >= 1
  and a.t4 is distinct from 'Media' and a.t5 is distinct from 'KE' and not a.b1 and a.t1 is not null`;
const twentyOfPerson = `p.engagement >= ${leastEngagement(5, now)} and p.health_score >= 5 and p.primary_email is not null
  and p.health_trend is distinct from 'falling' and p.created_at > '2020-01-01T00:00:00Z'
  and p.created_at <= '2100-01-01T00:00:00Z' and p.primary_contact_method = 'email' and p.mrr >= 0 and p.ltv >= 0
  and p.primary_phone is not null`;
const twentyFurther = `exists (select 1 from property_page_1 b
  where b.org_id = $1 and b.person_id = p.id and fold_text(b.t0) like '%prices%')`;

const both = (...forms: string[]): Case['hand'] => ({ count: forms, members: forms });

const byPage = (meets: string): Case['hand'] => ({
  count: [`${pageAlone} and ${meets}`],
  members: onPage(meets),
});

export const cases: readonly Case[] = [
  {
    name: '1 selective',
    filters: [field('ltv', 'gte', 1_800)],
    hand: both(`${people} and p.ltv >= 180000`),
  },
  {
    name: '1 broad',
    filters: [field('email_engagement_score', 'gte', 10)],
    hand: both(`${people} and p.engagement >= ${leastEngagement(10, now)}`),
  },
  {
    name: '1 contains',
    filters: [field('last_name', 'contains', 'OW')],
    hand: both(`${people} and fold_text(p.last_name) like '%ow%'`),
  },
  {
    name: '1 anti-match',
    filters: [field('health_band', 'neq', 'critical')],
    hand: both(`${people} and p.health_band is distinct from 'critical'`),
  },
  {
    name: '1 custom number',
    filters: [custom('score', 'gt', 500)],
    hand: byPage('a.n1 > 500'),
  },
  {
    name: '1 custom text, selective',
    filters: [custom('company', 'eq', 'Company 17')],
    hand: byPage(`a.t1 = 'Company 17'`),
  },
  {
    name: '1 custom contains',
    filters: [custom('city', 'contains', 'TY 3')],
    hand: byPage(`fold_text(a.t2) like '%ty 3%'`),
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
    hand: both(...onPage(fiveOfPage, fiveOfPerson)),
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
    hand: both(...onPage(twentyOfPage, twentyOfPerson, twentyFurther)),
  },
];

/** The broadest: nearly everybody, by a property. */
export const broadest = cases.find(({ name }) => name === '1 custom number')!;
