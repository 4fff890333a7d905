import { sql } from 'kysely';
import { DoFirst } from '../../../database/org-transaction.ts';
import type { Database } from '../../../database/pool.ts';
import type { Sealer } from '../../../kernel/sealer.ts';
import { defaultRoute } from '../ledger/route.ts';
import type { FindProviders, Provider, Providers } from '../outgoing/outgoing.ts';
import type { Budget } from './keep-shares.ts';
import { openSettings, readRoutes, type RouteSettings, type StoredRoute } from './routes.ts';

/** What is open for one route. */
export interface OpenRoute extends Omit<Providers, 'route'> {
  readonly budgets: readonly Budget[];
}

export interface RouteParts {
  readonly database: Database;
  readonly stored: Sealer;
  /** What the environment describes. */
  readonly byDefault: OpenRoute;
  /** Throws if these settings cannot be used. */
  readonly open: (name: string, kind: string, settings: RouteSettings) => OpenRoute;
  readonly onTrouble: (route: string, error: Error) => void;
}

type Kept = OpenRoute & Providers & { readonly version: string };

/**
 * Keeps every route open that there is: each has connections, places and budgets of its own. A message is handed to the
 * version that its organization uses at that moment. One that was changed or removed is closed when what is under way
 * has ended.
 */
export function keepRoutes({ database, stored, byDefault, open, onTrouble }: RouteParts) {
  const kept = new Map<string, Kept>();
  const closing = new Set<Promise<void>>();
  let looking: Promise<void> | undefined;
  byDefault.budgets.forEach(beginSmall);

  function openRow({ version, ...row }: StoredRoute): Kept {
    const { name } = row;
    let opened: OpenRoute = { email: unusable, text: unusable, budgets: [] };
    try {
      opened = open(name, row.kind, openSettings(stored, row));
    } catch (error) {
      onTrouble(name, error as Error);
    }
    const budgets = opened.budgets.map((budget) => ({ ...budget, name: `${name} ${budget.name}` }));
    budgets.forEach(beginSmall);
    return { ...opened, budgets, route: name, version };
  }

  function letGo(route: Kept | undefined): void {
    if (route === undefined) return;
    const closed = close(route).finally(() => closing.delete(closed));
    closing.add(closed);
  }

  async function look(): Promise<void> {
    const rows = await readRoutes(database);
    for (const row of rows) {
      const before = kept.get(row.name);
      if (before?.version === row.version) continue;
      kept.set(row.name, openRow(row));
      letGo(before);
    }
    for (const [name, route] of kept) {
      if (rows.some((row) => row.name === name)) continue;
      kept.delete(name);
      letGo(route);
    }
  }

  /** Opens what is new and lets go of what is gone. */
  const refresh = (): Promise<void> => (looking ??= look().finally(() => (looking = undefined)));

  const find: FindProviders = async ({ db }, channel) => {
    const { rows } = await sql<{ name: string; version: string }>`
      select name, version from gate.route_of(${channel})`.execute(db);
    const [chosen] = rows;
    if (chosen === undefined) return { ...byDefault, route: defaultRoute };
    const route = kept.get(chosen.name);
    if (route?.version !== chosen.version) throw new DoFirst(refresh);
    return route;
  };

  return {
    find,
    refresh,
    budgets: (): Budget[] => [byDefault, ...kept.values()].flatMap(({ budgets }) => budgets),
    /** When what is under way has ended. */
    close: async (): Promise<void> => {
      await looking?.catch(() => undefined);
      await Promise.all([byDefault, ...kept.values()].map(close));
      await Promise.all(closing);
    },
  };
}

/** One at a time until a share is leased: other processes may have the rest. */
const beginSmall = ({ resize }: Budget): void => resize(1);

async function close({ email, text }: OpenRoute): Promise<void> {
  await email?.close();
  await text?.close();
}

/** Its organizations' messages wait until the route is mended. */
const unusable: Provider<unknown> = {
  name: 'unusable',
  send: async () => ({ outcome: 'unreached', reply: 'the settings of this route cannot be used' }),
  close: async () => {},
};
