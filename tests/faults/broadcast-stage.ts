import pg from 'pg';
import { tell } from '../../benches/support/command.ts';
import { RestClient } from '../../benches/support/rest-client.ts';
import { freePort } from '../../benches/support/server-process.ts';
import { openDatabase, openPool } from '../../src/database/pool.ts';
import { runMigrations } from '../../src/database/run-migrations.ts';
import { createOrganization } from '../../src/domain/orgs/create-organization.ts';
import { sweep } from '../../src/durable/sweep.ts';
import { permissions } from '../../src/kernel/caller.ts';
import { ensureSender } from '../../src/main/demonstration-sender.ts';
import { keyring } from '../../src/main/keys.ts';
import { seedPeople } from '../../src/main/seed-people.ts';
import { startOwnPostgres, type OwnPostgres } from './own-postgres.ts';
import { Part, until } from './part.ts';
import { startSink, type SinkOptions, type SmtpSink } from './smtp-sink.ts';

/** Every part of the service as a process, and all it needs around it. */
export interface Stage {
  readonly postgres: OwnPostgres;
  readonly sink: SmtpSink;
  readonly api: Part;
  readonly handlers: Part;
  readonly relay: Part;
  readonly url: string;
  readonly key: string;
  readonly people: number;
  readonly optedOut: number;
  /** Drafts, plans and schedules a broadcast to everybody, and makes its time come. */
  begin(): Promise<string>;
}

/** What is to be ended afterwards, the last first. */
export type Closing = (() => Promise<unknown>)[];

export async function closeAll(closing: Closing): Promise<void> {
  for (const close of closing.toReversed()) await close();
}

export interface StageOptions extends SinkOptions {
  readonly people: number;
  readonly engine: {
    readonly ingressUrl: string;
    readonly adminUrl: string;
    readonly identityKey: string;
  };
}

const secret = 'a secret for fault runs that guards nothing';
const optedOutOneIn = 50;

export async function openStage(
  { people, engine, ...sinkOptions }: StageOptions,
  closing: Closing,
): Promise<Stage> {
  const postgres = await startOwnPostgres();
  closing.push(postgres.remove, () => postgres.kill('SIGQUIT'));
  const sink = await startSink(sinkOptions);
  closing.push(sink.stop);
  const made = await furnish(postgres.url, people);
  const env = {
    DATABASE_URL: postgres.url,
    ROSTRUM_SECRET: secret,
    RESTATE_INGRESS_URL: engine.ingressUrl,
    RESTATE_ADMIN_URL: engine.adminUrl,
    RESTATE_IDENTITY_KEY: engine.identityKey,
    HANDLERS_PORT: String(await freePort()),
    PORT: String(await freePort()),
    SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'info',
  };
  const [handlers, relay, api] = [new Part('handlers', env), new Part('relay', env), new Part('api', env)];
  for (const part of [handlers, relay, api]) {
    part.start();
    closing.push(() => part.kill('SIGTERM'));
  }
  const url = `http://127.0.0.1:${env.PORT}`;
  await until(`${url}/ready`);
  const begin = async (): Promise<string> => {
    const id = await schedule(new RestClient(url, made.key), made.webinar);
    // It is really scheduled, an hour ahead as it must be; then the hour passes.
    await onDatabase(postgres.url, (client) =>
      client.query('update broadcasts set send_at = now() where id = $1', [id]),
    );
    await tellEngine(postgres.url);
    return id;
  };
  return { ...made, url, postgres, sink, api, handlers, relay, people, begin };
}

/** A live organization with a sender, a webinar of tomorrow and everybody registered for it. */
async function furnish(url: string, people: number) {
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

async function schedule(service: RestClient, webinar_id: string): Promise<string> {
  const call = async <T>(path: string, body?: unknown): Promise<T> =>
    (await service.call(body === undefined ? 'GET' : 'POST', path, body)) as T;
  const { senders } = await call<{ senders: { id: string }[] }>('/v1/senders');
  const { broadcast } = await call<{ broadcast: { id: string } }>('/v1/broadcasts', {
    audience: 'webinar',
    webinar_id,
    subject: 'Tomorrow',
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

/** What the relay's own sweep does every half minute. */
async function tellEngine(url: string): Promise<void> {
  const pool = openPool({ url, size: 1, onError: () => undefined });
  await sweep(openDatabase(pool), new Date(), 0);
  await pool.end();
}

async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
