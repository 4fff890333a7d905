import pg from 'pg';
import { tell } from '../../benches/support/command.ts';
import type { RestClient } from '../../benches/support/rest-client.ts';
import { openDatabase, openPool } from '../../src/database/pool.ts';
import { runMigrations } from '../../src/database/run-migrations.ts';
import { createOrganization } from '../../src/domain/orgs/create-organization.ts';
import { permissions } from '../../src/kernel/caller.ts';
import { ensureSender } from '../../src/main/demonstration-sender.ts';
import { keyring } from '../../src/main/keys.ts';
import { seedPeople } from '../../src/main/seed-people.ts';

const optedOutOneIn = 50;
export const subject = 'Tomorrow';

/** A live organization with a sender, a webinar of tomorrow and everybody registered for it. */
export async function furnish(url: string, secret: string, people: number) {
  await runMigrations(url);
  tell(`seeding ${people} people`);
  const pool = openPool({ url, size: 2, onError: () => undefined });
  const database = openDatabase(pool);
  const now = new Date();
  const organization = { name: 'Under fire', mode: 'live' as const };
  const { org, secret: key } = await createOrganization(
    database,
    organization,
    { name: 'faults', permissions },
    now,
  );
  await seedPeople(database, { org, people, now });
  await ensureSender(database, org, keyring({ ROSTRUM_SECRET: secret }).stored, now);
  await pool.end();
  return onDatabase(url, async (client) => {
    const webinars = await client.query<{ id: string }>(
      `insert into webinars (org_id, id, title, start_time, created_at)
       values ($1, gen_random_uuid(), 'Under fire', now() + interval '1 day', now()) returning id`,
      [org],
    );
    const webinar = webinars.rows[0]!.id;
    await client.query(
      `insert into registrations (org_id, id, webinar_id, person_id, registered_at)
       select org_id, gen_random_uuid(), $2, id, now() from people where org_id = $1`,
      [org, webinar],
    );
    const optedOut = await client.query(
      `insert into opt_outs (org_id, person_id, email_opt_out, sms_opt_out, updated_at)
       select org_id, id, true, false, now() from people
       where org_id = $1 and substr(external_user_id, 5)::int % ${optedOutOneIn} = 0`,
      [org],
    );
    await client.query('vacuum analyze');
    return { key, webinar, optedOut: optedOut.rowCount ?? 0 };
  });
}

/** Over REST, as anybody would. */
export async function schedule(service: RestClient, webinar_id: string): Promise<string> {
  const call = async <T>(path: string, body?: unknown): Promise<T> =>
    (await service.call(body === undefined ? 'GET' : 'POST', path, body)) as T;
  const { senders } = await call<{ senders: { id: string }[] }>('/v1/senders');
  const { broadcast } = await call<{ broadcast: { id: string } }>('/v1/broadcasts', {
    audience: 'webinar',
    webinar_id,
    subject,
    html: '<p>Dear {{var_name}}, we begin <a href="https://example.com/room">here</a>.</p>',
    variables: { var_name: { variable: '{{context.root_context.org_user.first_name}}', fallback: 'reader' } },
    sender_id: senders[0]!.id,
  });
  const send_at = new Date(Date.now() + 2 * 3_600_000).toISOString();
  const path = `/v1/broadcasts/${broadcast.id}`;
  const { plan_token } = await call<{ plan_token: string }>(`${path}/plan`, { send_at });
  await call(`${path}/schedule`, { plan_token });
  return broadcast.id;
}

export async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
