import { randomUUID } from 'node:crypto';
import { newId } from '../../src/kernel/ids.ts';
import type { TestOrg } from './test-org.ts';
import type { World } from './world.ts';

type Fields = Readonly<Record<string, unknown>>;

const worlds = new WeakMap<TestOrg, World>();

/** An organization whose messages to example.com really go out. */
export async function newSendingOrg(world: World): Promise<TestOrg> {
  const org = await world.newOrg();
  await world.admin.query(
    `with settings as (update organizations set test_recipients = '{@example.com}' where id = $1)
     insert into email_layouts (org_id, company_name, postal_address, updated_at)
     values ($1, 'Example', '1 Main Street, Springfield', now())`,
    [org.id],
  );
  worlds.set(org, world);
  return org;
}

/** What rows are made of here; with anything else people are made by the service. */
const known = ['first_name', 'external_user_id'];

/**
 * People with an address each, by that address. One statement makes them: identifying hundreds one by one took longer than
 * sending to them. The rows are those that identifying leaves.
 */
export async function newReaders(
  org: TestOrg,
  count: number,
  fields: (index: number) => Fields = () => ({}),
): Promise<Map<string, string>> {
  const world = worlds.get(org);
  const all = Array.from({ length: count }, (_, index) => fields(index));
  const isKnown = all.every((one) => Object.keys(one).every((field) => known.includes(field)));
  if (world === undefined || !isKnown) return identifyReaders(org, count, fields);
  const batch = randomUUID().slice(0, 8);
  const people = all.map((one, index) => ({
    id: newId(new Date()),
    email: `r${index}-${batch}@example.com`,
    ...one,
  }));
  await world.admin.query(
    `with sent as (
       select * from jsonb_to_recordset($2::jsonb) as s(id uuid, email text, first_name text, external_user_id text)
     ), made as (
       insert into people (org_id, id, first_name, primary_email, external_user_id, primary_contact_method,
         created_at, updated_at)
       select $1, id, first_name, email, external_user_id, 'email', clock_timestamp(), now() from sent)
     insert into identifiers (org_id, id, person_id, type, value, is_contact_method, is_primary_for_type, created_at)
     select $1, new_id(now()), sent.id, i.type, i.value, i.type = 'email', true, now()
     from sent, lateral (values ('email', email), ('org_assigned_user_id', external_user_id)) i(type, value)
     where i.value is not null`,
    [org.id, JSON.stringify(people)],
  );
  return new Map(people.map(({ id, email }) => [email, id]));
}

/** Registers people for a webinar by one statement. */
export async function registerAll(
  { admin }: World,
  org: TestOrg,
  webinar: string,
  people: Iterable<string>,
): Promise<void> {
  await admin.query(
    `insert into registrations (org_id, id, webinar_id, person_id, registered_at)
     select $1, gen_random_uuid(), $2, person, now() from unnest($3::uuid[]) person`,
    [org.id, webinar, [...people]],
  );
}

async function identifyReaders(
  org: TestOrg,
  count: number,
  fields: (index: number) => Fields,
): Promise<Map<string, string>> {
  const batch = randomUUID().slice(0, 8);
  const emails = Array.from({ length: count }, (_, index) => `r${index}-${batch}@example.com`);
  const ids = new Map<string, string>();
  const queue = [...emails.entries()];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const [index, email] = next;
        ids.set(email, await org.person({ email, ...fields(index) }));
      }
    }),
  );
  return new Map(emails.map((email) => [email, ids.get(email)!]));
}
