import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../database/pool.ts';
import { newId, type OrgId } from '../kernel/ids.ts';
import type { PropertyType } from '../domain/properties/property-config.ts';

/** Key, type, and the value as SQL over the made-up person's number n and what it pays, price. */
type Known = readonly [key: string, type: PropertyType, value: string];

/** People get the first five by default. */
const known: readonly Known[] = [
  ['plan_tier', 'string', `case when price is null then 'free' when price < 4900 then 'pro' else 'team' end`],
  ['company', 'string', `'Company ' || n % 5000`],
  ['seats', 'number', 'n % 200'],
  ['score', 'number', '(n * 37) % 10007 / 10.0'],
  ['newsletter', 'boolean', 'n % 2 = 0'],
  ['city', 'string', `'City ' || n % 40`],
  ['job_title', 'string', `(array['Engineer','Designer','Founder','Head of sales','Analyst'])[1 + n % 5]`],
  ['industry', 'string', `(array['Retail','Health','Finance','Media','Energy','Travel'])[1 + n % 6]`],
  ['country', 'string', `(array['FR','DE','US','BR','JP','KE','IN'])[1 + n % 7]`],
  ['referral_code', 'string', `substr(md5(n::text), 1, 10)`],
  ['renews_on', 'string', `to_char(date '2026-01-01' + (n % 365)::int, 'YYYY-MM-DD')`],
  ['notes', 'string', `repeat('met at a fair, asked for prices. ', 2) || n`],
  ['logins', 'number', '(n * 7919) % 1000'],
  ['storage_gb', 'number', '(n * 31) % 4096 / 8.0'],
  ['nps', 'number', 'n % 11'],
  ['projects', 'number', 'n % 37'],
  ['invoices', 'number', 'n % 60'],
  ['beta', 'boolean', 'n % 10 = 0'],
  ['onboarded', 'boolean', 'n % 4 > 0'],
  ['partner', 'boolean', 'n % 50 = 0'],
  // Further ones that nothing asks about.
  ...Array.from({ length: 20 }, (_, index): Known => {
    const type = (['string', 'number', 'boolean'] as const)[index % 3]!;
    return [
      `other_${index}`,
      type,
      { string: `'Other ' || n % 90`, number: 'n % 90', boolean: 'n % 9 > 1' }[type],
    ];
  }),
];

/** Gives the organization configs for the first `count` properties. */
export async function seedConfigs(db: Database, org: OrgId, count: number, now: Date): Promise<void> {
  for (const [key, type] of known.slice(0, count)) {
    const words = key.replaceAll('_', ' ');
    const name = words.charAt(0).toUpperCase() + words.slice(1);
    await db
      .insertInto('property_configs')
      .values({ org_id: org, id: newId(now), key, name, type, created_at: now })
      .onConflict((conflict) => conflict.columns(['org_id', 'key']).doNothing())
      .execute();
  }
}

/** Gives each person in the temporary table `seeded` a value for the first `count` properties. */
export async function seedValues(db: Database, org: OrgId, count: number): Promise<void> {
  const wanted = known.slice(0, count);
  await sql`
    insert into property_values
      (org_id, person_id, config_id, text_value, number_value, boolean_value, changed_by, created_at)
    select ${org}, s.id, c.id, ${caseOf('string', wanted)}, ${caseOf('number', wanted)}, ${caseOf('boolean', wanted)},
      s.id, made
    from seeded s join property_configs c on c.org_id = ${org}
      and c.key = any(${wanted.map(([key]) => key)})`.execute(db);
}

const caseOf = (type: PropertyType, wanted: typeof known): RawBuilder<unknown> =>
  sql.raw(
    `case c.key ${wanted
      .filter(([, of]) => of === type)
      .map(([key, , value]) => `when '${key}' then ${value}`)
      .join(' ')} end`,
  );
