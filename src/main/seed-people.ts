import { sql, type RawBuilder } from 'kysely';
import { orgTransaction } from '../database/org-transaction.ts';
import type { Database } from '../database/pool.ts';
import { engagementWith } from '../domain/segments/engagement-score.ts';
import type { OrgId } from '../kernel/ids.ts';
import { seedConfigs, seedValues } from './seed-properties.ts';

export interface SeedOptions {
  readonly org: OrgId;
  readonly people: number;
  /** How many property values each has, up to 40. */
  readonly properties?: number;
  readonly now: Date;
  readonly onProgress?: (done: number) => void;
}

const chunk = 10_000;

/** Fills an organization with made-up people, three identifiers each and five property values or more. */
export async function seedPeople(database: Database, options: SeedOptions): Promise<void> {
  const { org, now, properties = 5 } = options;
  const first = await orgTransaction(database, org, 'write', async (db) => {
    await seedConfigs(db, org, properties, now);
    const { rows } = await sql<{ n: number }>`
      select coalesce(sum(step), 0)::bigint as n from people_counts where org_id = ${org}`.execute(db);
    return (rows[0]?.n ?? 0) + 1;
  });
  for (let done = 0; done < options.people; done += chunk) {
    const from = first + done;
    const to = first + Math.min(done + chunk, options.people) - 1;
    await orgTransaction(database, org, 'write', async (db) => {
      await insertChunk(db, org, from, to, now);
      await seedValues(db, org, properties);
    });
    options.onProgress?.(to - first + 1);
  }
}

const day = 86_400;

/** A number from 0 to below `most` that follows from n and nothing else: another salt is another, independent number. */
export const drawn = (salt: number, most: number): RawBuilder<number> =>
  sql`((hashint8extended(n, ${sql.lit(salt)}) & 2147483647) % ${sql.lit(most)})`;

/** Everything about a made-up person follows from its number, so a seed can be told apart and repeated. */
async function insertChunk(db: Database, org: OrgId, from: number, to: number, now: Date): Promise<void> {
  const scores = Array.from({ length: 101 }, (_, score) => engagementWith(score, now));
  await sql`set local gin_pending_list_limit = '256MB'`.execute(db);
  await sql`
    create temporary table seeded on commit drop as
    select n, made, new_id(made) as id, status, price,
      case when status = 'trialing' then 0 else
        extract(day from ${now}::timestamptz - made)::int / case status when 'canceled' then 60 else 30 end end as months,
      ${drawn(5, 101)} * ${drawn(6, 101)} / 100 as score,
      (array['Ada','Grace','Linus','Margaret','Alan','Barbara','Edsger','Frances','Ken','Radia','Donald','Hedy'])[1 + ${drawn(1, 12)}] as first_name,
      (array['Ivers','Okafor','Lindqvist','Moreau','Tanaka','Silva','Novak','Haddad','Kowalski','Rossi','Jensen'])[1 + ${drawn(2, 11)}] as last_name
    from generate_series(${from}::bigint, ${to}::bigint) n,
      lateral (select date_trunc('milliseconds',
        ${now}::timestamptz - make_interval(secs => (${drawn(3, 730 * day)})::double precision)) as made) m,
      lateral (select case when n % 3 = 0 then (array['active','active','active','active','active','trialing','past_due','canceled'])[1 + ${drawn(4, 8)}] end as status) c,
      lateral (select case when status is not null then (array[900, 1900, 1900, 2900, 4900, 9900])[1 + ${drawn(7, 6)}] end as price) m2
    order by id`.execute(db);
  await sql`
    insert into people (org_id, id, first_name, last_name, primary_email, primary_phone, external_user_id,
      primary_contact_method, subscription_status, payment_processor, mrr, ltv, first_payment_date,
      engagement, last_opened_at, last_clicked_at, health_score, health_band, health_trend,
      created_at, updated_at)
    select ${org}, id, case when n % 10 > 0 then first_name end, case when n % 10 > 0 then last_name end,
      lower(first_name || '.' || last_name || '.' || n || '@example.com'),
      '+1555' || lpad(n::text, 8, '0'), 'ext-' || n, 'email', status,
      case when status is not null then (array['processor_a','processor_b','processor_c'])[1 + (n / 3) % 3] end,
      case when status in ('active', 'past_due') then price else 0 end,
      coalesce(price * months, 0), case when months > 0 then made + interval '14 days' end,
      (${scores}::double precision[])[1 + score],
      case when score > 10 then greatest(made, ${now}::timestamptz - make_interval(days => (100 - score)::int)) end,
      case when score > 40 then greatest(made, ${now}::timestamptz - make_interval(days => (110 - score)::int)) end,
      health, (array['critical','low','moderate','healthy','power'])[1 + health / 20],
      (array['rising','steady','falling'])[1 + ${drawn(8, 3)}], made, made
    from seeded, lateral (select least(99, (score + ${drawn(9, 101)}) / 2)::int as health) h order by id`.execute(
    db,
  );
  await sql`
    insert into identifiers (org_id, id, person_id, type, value, is_contact_method, is_primary_for_type, created_at)
    select ${org}, new_id(made), s.id, kind.type, kind.value, kind.contact, true, made
    from seeded s, lateral (values
      ('email', lower(first_name || '.' || last_name || '.' || n || '@example.com'), true),
      ('phone', '+1555' || lpad(n::text, 8, '0'), true),
      ('org_assigned_user_id', 'ext-' || n, false)) kind(type, value, contact)
    order by s.id`.execute(db);
}
