import { sql } from 'kysely';
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

/** Everything about a made-up person follows from its number, so a seed can be told apart and repeated. */
async function insertChunk(db: Database, org: OrgId, from: number, to: number, now: Date): Promise<void> {
  const scores = Array.from({ length: 101 }, (_, score) => engagementWith(score, now));
  await sql`set local gin_pending_list_limit = '256MB'`.execute(db);
  await sql`
    create temporary table seeded on commit drop as
    select n, made, new_id(made) as id,
      (array['Ada','Grace','Linus','Margaret','Alan','Barbara','Edsger','Frances','Ken','Radia','Donald','Hedy'])[1 + n % 12] as first_name,
      (array['Ivers','Okafor','Lindqvist','Moreau','Tanaka','Silva','Novak','Haddad','Kowalski','Rossi','Jensen'])[1 + n % 11] as last_name
    from generate_series(${from}::bigint, ${to}::bigint) n,
      lateral (select date_trunc('milliseconds',
        ${now}::timestamptz - make_interval(secs => ((n * 7919) % 63072000)::double precision)) as made) m
    order by id`.execute(db);
  await sql`
    insert into people (org_id, id, first_name, last_name, primary_email, primary_phone, external_user_id,
      primary_contact_method, subscription_status, payment_processor, mrr, ltv, first_payment_date,
      engagement, last_opened_at, last_clicked_at, health_score, health_band, health_trend,
      created_at, updated_at)
    select ${org}, id, case when n % 10 > 0 then first_name end, case when n % 10 > 0 then last_name end,
      lower(first_name || '.' || last_name || '.' || n || '@example.com'),
      '+1555' || lpad(n::text, 8, '0'), 'ext-' || n, 'email',
      case when n % 3 = 0 then (array['active','trialing','past_due','canceled'])[1 + (n / 3) % 4] end,
      case when n % 3 = 0 then (array['processor_a','processor_b','processor_c'])[1 + (n / 3) % 3] end,
      case when n % 3 = 0 then 900 + (n % 50) * 100 else 0 end,
      case when n % 3 = 0 then (900 + (n % 50) * 100) * (n % 24) else 0 end,
      case when n % 3 = 0 then made + interval '1 day' end,
      (${scores}::double precision[])[1 + n % 101], case when n % 2 = 0 then made + interval '2 days' end, case when n % 5 = 0 then made + interval '2 days' end,
      n % 100, (array['critical','low','moderate','healthy','power'])[1 + (n % 100) / 20],
      (array['rising','steady','falling'])[1 + n % 3], made, made
    from seeded order by id`.execute(db);
  await sql`
    insert into identifiers (org_id, id, person_id, type, value, is_contact_method, is_primary_for_type, created_at)
    select ${org}, new_id(made), s.id, kind.type, kind.value, kind.contact, true, made
    from seeded s, lateral (values
      ('email', lower(first_name || '.' || last_name || '.' || n || '@example.com'), true),
      ('phone', '+1555' || lpad(n::text, 8, '0'), true),
      ('org_assigned_user_id', 'ext-' || n, false)) kind(type, value, contact)
    order by s.id`.execute(db);
}
