import { tell } from '../../benches/support/command.ts';
import type { RestClient } from '../../benches/support/rest-client.ts';
import { openDatabase, openPool, type Database } from '../../src/database/pool.ts';
import { runMigrations } from '../../src/database/run-migrations.ts';
import { asService } from '../../src/domain/orgs/as-service.ts';
import { createOrganization } from '../../src/domain/orgs/create-organization.ts';
import { enrollRegistrant } from '../../src/domain/triggers/enroll.ts';
import { permissions } from '../../src/kernel/caller.ts';
import { newId, type OrgId } from '../../src/kernel/ids.ts';
import { readConfig } from '../../src/main/config.ts';
import { ensureSender } from '../../src/main/demonstration-sender.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { seedPeople } from '../../src/main/seed-people.ts';
import { onDatabase } from './broadcast-setting.ts';
import { journeyGraph } from './workflow-journey.ts';

/** Somebody the journey is for, as the model wants to know them. */
export interface Invited {
  readonly email: string;
  readonly isPro: boolean;
  attended: boolean;
}

/** A test organization with a sender and people, some of whom are pros. */
export async function furnishOrg(url: string, secret: string, people: number) {
  await runMigrations(url);
  tell(`seeding ${people} people`);
  return onPool(url, async (database) => {
    const now = new Date();
    const organization = { name: 'Under fire', mode: 'test' as const };
    const key = { name: 'faults', permissions };
    const made = await createOrganization(database, organization, key, now);
    await seedPeople(database, { org: made.org, people, now });
    await ensureSender(database, made.org, keyring({ ROSTRUM_SECRET: secret }).stored, now);
    return { org: made.org, key: made.secret };
  });
}

const day = 86_400_000;

/** The webinar and the published journey, over REST as anybody would. Answers the webinar and when it begins. */
export async function makeJourney(
  service: RestClient,
): Promise<{ webinar: string; start: number; from: number }> {
  const post = async <T>(path: string, body: unknown): Promise<T> =>
    (await service.call('POST', path, body)) as T;
  await service.call('PATCH', '/v1/settings', { test_recipients: ['@example.com'] });
  await post('/v1/property-configs', { key: 'journey', name: 'Journey', type: 'string' });
  const from = Date.now();
  const start = from + 10 * day;
  const { webinar } = await post<{ webinar: { id: string } }>('/v1/webinars', {
    webinar: { title: 'Under fire', start_time: new Date(start).toISOString(), duration_minutes: 60 },
  });
  const { senders } = (await service.call('GET', '/v1/senders')) as { senders: { id: string }[] };
  const { workflow } = await post<{ workflow: { id: string } }>('/v1/workflows', {
    name: 'Journey',
    graph: journeyGraph(webinar.id, senders[0]!.id),
  });
  await post(`/v1/workflows/${workflow.id}/publish`, {});
  return { webinar: webinar.id, start, from };
}

const chunk = 500;

/** Registers the seeded people as register does, with its own statement for enrolling, but many in a transaction. */
export async function registerSeeded(
  url: string,
  secret: string,
  { org, webinar }: { org: OrgId; webinar: string },
): Promise<Invited[]> {
  const { rows } = await onDatabase(url, (client) =>
    client.query<{ id: string; email: string; isPro: boolean }>(
      `select id, primary_email as email, exists (
         select 1 from property_values v join property_configs c on c.org_id = v.org_id and c.id = v.config_id
         where v.org_id = p.org_id and v.person_id = p.id and c.key = 'plan_tier' and v.text_value = 'pro') as "isPro"
       from people p where org_id = $1 order by id`,
      [org],
    ),
  );
  const config = readConfig({ ROSTRUM_SECRET: secret });
  const parts = { keys: keyring(config), mail: mailSettings(config) };
  await onPool(url, async (database) => {
    for (let from = 0; from < rows.length; from += chunk) {
      const asked = { org, now: new Date(), actor: 'faults', requestId: 'none' };
      await asService(database, parts, asked, async (work) => {
        for (const { id: person_id } of rows.slice(from, from + chunk)) {
          const registration_id = newId(work.now);
          await work.db
            .insertInto('registrations')
            .values({
              org_id: org,
              id: registration_id,
              webinar_id: webinar,
              person_id,
              registered_at: work.now,
            })
            .execute();
          await enrollRegistrant(work, { person_id, webinar_id: webinar, registration_id, at: work.now });
        }
      });
    }
  });
  return rows.map(({ email, isPro }) => ({ email, isPro, attended: false }));
}

async function onPool<T>(url: string, act: (database: Database) => Promise<T>): Promise<T> {
  const pool = openPool({ url, size: 2, onError: () => undefined });
  try {
    return await act(openDatabase(pool));
  } finally {
    await pool.end();
  }
}
