import { tell } from '../../benches/support/command.ts';
import { startOwnPostgres, type OwnPostgres } from '../../benches/support/own-postgres.ts';
import { openDatabase, openPool, type Database } from '../../src/database/pool.ts';
import { runMigrations } from '../../src/database/run-migrations.ts';
import { createOrganization } from '../../src/domain/orgs/create-organization.ts';
import { permissions } from '../../src/kernel/caller.ts';
import type { OrgId } from '../../src/kernel/ids.ts';
import type { LocalRestate } from '../../src/main/local-restate.ts';
import { seedPeople } from '../../src/main/seed-people.ts';
import type { Closing } from './broadcast-stage.ts';
import { onDatabase } from './broadcast-setting.ts';
import { engineOf, type Engine } from './engine.ts';
import { poison } from './import-file.ts';
import { until, type Part } from './part.ts';
import { serviceParts } from './service-parts.ts';

export interface Tenant {
  readonly org: OrgId;
  readonly key: string;
}

/** Every part of the service as a process, and organizations with people. */
export interface ImportStage extends Engine {
  readonly postgres: OwnPostgres;
  readonly api: Part;
  readonly handlers: Part;
  readonly relay: Part;
  readonly url: string;
  readonly tenants: readonly Tenant[];
}

export interface ImportStageOptions {
  /** How many people each organization has. */
  readonly people: readonly number[];
  readonly restate: LocalRestate;
  /** How long a transaction that has dealt with rows stays open before it is committed, at most. */
  readonly lingerMs: number;
}

export async function openImportStage(
  { people, restate, lingerMs }: ImportStageOptions,
  closing: Closing,
): Promise<ImportStage> {
  const postgres = await startOwnPostgres();
  closing.push(postgres.remove, () => postgres.kill('SIGQUIT'));
  await runMigrations(postgres.url);
  tell(`seeding ${people.join(' and ')} people`);
  const tenants = await onPool(postgres.url, async (database) => {
    const made: Tenant[] = [];
    for (const count of people) made.push(await furnish(database, count));
    return made;
  });
  await onDatabase(postgres.url, (client) => client.query(hindrances(lingerMs)));
  const { env, url, handlers, relay, api } = await serviceParts(postgres.url, restate, closing);
  for (const part of [handlers, relay, api]) part.start();
  await until(`${url}/health`);
  return { postgres, api, handlers, relay, ...engineOf(restate, env), url, tenants };
}

async function furnish(database: Database, people: number): Promise<Tenant> {
  const now = new Date();
  const key = { name: 'faults', permissions };
  const { org, secret: made } = await createOrganization(
    database,
    { name: 'Under fire', mode: 'live' },
    key,
    now,
  );
  await seedPeople(database, { org, people, now });
  return { org, key: made };
}

/** One in thirty has opted out of email. Some rows can never be written, and all of them stay uncommitted for a while. */
const hindrances = (lingerMs: number): string => `
  insert into opt_outs (org_id, person_id, email_opt_out, sms_opt_out, updated_at)
  select org_id, person_id, true, false, now() from identifiers
  where type = 'org_assigned_user_id' and substr(value, 5)::int % 30 = 0;

  create function refuse_poison() returns trigger language plpgsql as $$
  begin
    raise exception 'this is poison' using errcode = 'check_violation';
  end $$;
  create trigger poison before insert on identifiers for each row when (new.value like '${poison}%')
    execute function refuse_poison();
  ${lingering(lingerMs)}`;

/** Each chunk of an import stays open for a while after its last write. */
export const lingering = (mostMs: number): string => `
  create function linger() returns trigger language plpgsql as $$
  begin
    perform pg_sleep(random() * ${mostMs / 1000});
    return null;
  end $$;
  create trigger linger after delete on import_parts for each statement execute function linger();`;

async function onPool<T>(url: string, act: (database: Database) => Promise<T>): Promise<T> {
  const pool = openPool({ url, size: 2, onError: () => undefined });
  try {
    return await act(openDatabase(pool));
  } finally {
    await pool.end();
  }
}
