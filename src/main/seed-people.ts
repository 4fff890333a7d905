import { sql, type RawBuilder } from 'kysely';
import { orgTransaction } from '../database/org-transaction.ts';
import type { Database } from '../database/pool.ts';
import { drawnNumber } from '../domain/person-fields/demonstration.ts';
import { fieldNames, fieldOf, fieldsOfPerson, type FieldName } from '../domain/person-fields/fields.ts';
import { engagementWith } from '../domain/filters/engagement-score.ts';
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

export const drawn = (salt: number, most: number): RawBuilder<number> => sql.raw(drawnNumber(salt, most));

const shownFields = fieldNames.map(fieldOf).filter(({ demonstration }) => demonstration !== null);
const shownColumns = sql.raw(shownFields.map(({ column }) => column).join(', '));
const shownValues = sql.raw(shownFields.map(({ demonstration }) => demonstration).join(', '));
const shownAs = (name: FieldName): RawBuilder<string> =>
  sql.raw(fieldsOfPerson[name].demonstration ?? 'null');

/** Everything about a made-up person follows from its number, so a seed can be recognized and repeated. */
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
    insert into people (org_id, id, ${shownColumns}, updated_at)
    select ${org}, id, ${shownValues}, made
    from seeded,
      lateral (select least(99, (score + ${drawn(9, 101)}) / 2)::int as health) h,
      lateral (select (${scores}::double precision[])[1 + score] as engagement, ${now}::timestamptz as today) t
    order by id`.execute(db);
  await sql`
    insert into identifiers (org_id, id, person_id, type, value, is_contact_method, is_primary_for_type, created_at)
    select ${org}, new_id(made), s.id, kind.type, kind.value, kind.contact, true, made
    from seeded s, lateral (values
      ('email', ${shownAs('primary_email')}, true),
      ('phone', ${shownAs('primary_phone')}, true),
      ('org_assigned_user_id', ${shownAs('external_user_id')}, false)) kind(type, value, contact)
    order by s.id`.execute(db);
}
