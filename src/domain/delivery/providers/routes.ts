import { sql } from 'kysely';
import { relayTransaction } from '../../../database/org-transaction.ts';
import type { Database } from '../../../database/pool.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Sealer } from '../../../kernel/sealer.ts';
import type { Channel } from '../../orgs/allowance.ts';

export type RouteSettings = Readonly<Record<string, string>>;

/** A route as the operator describes it. The settings are those of the environment, secrets among them. */
export interface Route {
  readonly name: string;
  readonly channel: Channel;
  readonly kind: string;
  /** For showing: without name and password. */
  readonly address: string;
  readonly connections: number | null;
  readonly settings: RouteSettings;
}

export interface StoredRoute extends Pick<Route, 'name' | 'kind'> {
  readonly version: string;
  readonly settings: Buffer;
}

export type ListedRoute = Omit<Route, 'settings'> & {
  readonly changed_at: Date;
  readonly organizations: number;
};

/** Settings sealed for one route open for no other. */
const placeOf = ({ name, kind }: Pick<Route, 'name' | 'kind'>): string => `${kind} route ${name}`;

export function openSettings(stored: Sealer, row: Omit<StoredRoute, 'version'>): RouteSettings {
  const opened = stored.open(row.settings, placeOf(row));
  if (opened === undefined) throw new Error('its settings were sealed by a secret that is not known');
  return JSON.parse(opened.toString('utf8')) as RouteSettings;
}

/** Returns false if there is one of this name. */
export const addRoute = (database: Database, stored: Sealer, route: Route, now: Date): Promise<boolean> =>
  written(database, 'add_route', route.name, now, (db) => {
    const { name, channel, kind, address, connections } = route;
    return sql`
      insert into installation.routes (name, channel, kind, address, connections, settings, changed_at)
      values (${name}, ${channel}, ${kind}, ${address}, ${connections}, ${sealed(stored, route)}, ${now})
      on conflict do nothing`.execute(db);
  });

/** Returns false if there is none of this name and kind. */
export const changeRoute = (database: Database, stored: Sealer, route: Route, now: Date): Promise<boolean> =>
  written(database, 'change_route', route.name, now, (db) => {
    const { name, kind, address, connections } = route;
    return sql`
      update installation.routes set address = ${address}, connections = ${connections},
        settings = ${sealed(stored, route)}, version = gen_random_uuid(), changed_at = ${now}
      where name = ${name} and kind = ${kind}`.execute(db);
  });

const sealed = (stored: Sealer, route: Route): Buffer =>
  stored.seal(JSON.stringify(route.settings), placeOf(route));

/** Returns which organizations use it: then it stays. Undefined: there is none of this name. */
export const removeRoute = (database: Database, name: string, now: Date): Promise<string[] | undefined> =>
  relayTransaction(database, async (db) => {
    // Whoever is about to use it waits for this row.
    const { rows: found } =
      await sql`select from installation.routes where name = ${name} for update`.execute(db);
    if (found.length === 0) return undefined;
    const { rows } = await sql<{ org_id: string }>`
      select org_id from installation.org_routes where route = ${name} order by org_id`.execute(db);
    if (rows.length > 0) return rows.map(({ org_id }) => org_id);
    await sql`delete from installation.routes where name = ${name}`.execute(db);
    // Another account may get the name.
    await sql`delete from installation.left_routes where route = ${name}`.execute(db);
    await audit(db, 'remove_route', name, now);
    return [];
  });

export const listRoutes = (database: Database): Promise<ListedRoute[]> =>
  relayTransaction(database, async (db) => {
    const { rows } = await sql<ListedRoute>`
      select name, channel, kind, address, connections, changed_at,
        (select count(*) from installation.org_routes o where o.route = r.name) as organizations
      from installation.routes r order by name`.execute(db);
    return rows;
  });

export const readRoutes = (database: Database): Promise<StoredRoute[]> =>
  relayTransaction(database, async (db) => {
    const { rows } = await sql<StoredRoute>`
      select name, kind, version, settings from installation.routes`.execute(db);
    return rows;
  });

export const readRoute = (
  database: Database,
  { name, kind }: Pick<Route, 'name' | 'kind'>,
): Promise<StoredRoute | undefined> =>
  relayTransaction(database, async (db) => {
    const { rows } = await sql<StoredRoute>`
      select name, kind, version, settings from installation.routes
      where name = ${name} and kind = ${kind}`.execute(db);
    return rows[0];
  });

const written = (
  database: Database,
  operation: string,
  name: string,
  now: Date,
  write: (db: Database) => Promise<{ readonly numAffectedRows?: bigint | undefined }>,
): Promise<boolean> =>
  relayTransaction(database, async (db) => {
    const { numAffectedRows } = await write(db);
    if (numAffectedRows !== 1n) return false;
    await audit(db, operation, name, now);
    return true;
  });

const audit = (db: Database, operation: string, name: string, now: Date) =>
  sql`
    insert into installation.audit_log (id, at, operation, route)
    values (${newId(now)}, ${now}, ${operation}, ${name})`.execute(db);
