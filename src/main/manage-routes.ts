import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { orgTransaction } from '../database/org-transaction.ts';
import { chooseRoute } from '../domain/delivery/providers/choose-route.ts';
import { addRoute, changeRoute, listRoutes, removeRoute } from '../domain/delivery/providers/routes.ts';
import { systemClock } from '../kernel/clock.ts';
import { OrgId } from '../kernel/ids.ts';
import { answer, UsageError, word, type Values } from './arguments.ts';
import { readConfig } from './config.ts';
import { keyring } from './keys.ts';
import { readRoute, routeKinds } from './route-settings.ts';
import { withDatabase } from './with-database.ts';

const RouteName = z.string().regex(/^(?!default$)[a-z0-9][a-z0-9-]{0,39}$/);
const mostTold = 5;

/** rostrum route add, change, list and remove */
export async function manageRoutes(values: Values, [verb, name]: string[]): Promise<void> {
  if (verb === 'list') return list();
  const parsed = RouteName.safeParse(name);
  if (!['add', 'change', 'remove'].includes(verb ?? '') || !parsed.success)
    throw new UsageError(
      'Say: rostrum route list, or add, change or remove NAME: letters, digits and dashes, not default.',
    );
  if (verb === 'remove') return remove(parsed.data);
  return save(verb as 'add' | 'change', parsed.data, values);
}

/** The settings are read from a file: an argument would be seen by whoever lists processes. */
async function save(verb: 'add' | 'change', name: string, values: Values): Promise<void> {
  const kind = z.enum(routeKinds).safeParse(values['kind']);
  if (!kind.success) throw new UsageError(`--kind takes ${routeKinds.join(', ')}.`);
  const config = readConfig(process.env);
  const settings = parseEnv(await readFile(word(values, 'settings'), 'utf8')) as Record<string, string>;
  const route = readRoute(config, { name, kind: kind.data, settings });
  const write = verb === 'add' ? addRoute : changeRoute;
  const done = await withDatabase((database) =>
    write(database, keyring(config).stored, route, systemClock.now()),
  );
  if (!done)
    throw new UsageError(
      verb === 'add'
        ? `There is a route ${name}: rostrum route change ${name} …`
        : `There is no route ${name} of kind ${route.kind}.`,
    );
  const { settings: _secret, ...shown } = route;
  answer(shown);
}

async function list(): Promise<void> {
  for (const { changed_at, ...route } of await withDatabase(listRoutes))
    answer({ ...route, changed_at: changed_at.toISOString() });
}

async function remove(name: string): Promise<void> {
  const users = await withDatabase((database) => removeRoute(database, name, systemClock.now()));
  if (users === undefined) throw new UsageError(`There is no route ${name}.`);
  if (users.length > 0)
    throw new UsageError(
      `${users.length} organizations use route ${name}. Give each another first, with rostrum org route ID --channel ` +
        `email|sms --route NAME|default: ${users.slice(0, mostTold).join(', ')}${users.length > mostTold ? ' and others' : ''}.`,
    );
  answer({ name, removed: true });
}

/** rostrum org route */
export async function routeOrg(id: string | undefined, values: Values): Promise<void> {
  const parsed = OrgId.safeParse(id);
  if (!parsed.success) throw new UsageError('Say: rostrum org route ID --channel … --route …');
  const org = parsed.data;
  const channel = z.enum(['email', 'sms']).safeParse(values['channel']);
  if (!channel.success) throw new UsageError('--channel takes email or sms.');
  const route = word(values, 'route');
  await withDatabase((database) =>
    orgTransaction(database, org, 'write', async (db) => {
      const found = await db
        .selectFrom('organizations')
        .select('id')
        .where('id', '=', org)
        .where('state', '<>', 'deleting')
        .forShare()
        .executeTakeFirst();
      if (found === undefined) throw new UsageError('There is no organization with this id.');
      const by = { db, org, now: systemClock.now(), actor: 'operator', face: 'cli' } as const;
      if (!(await chooseRoute(by, channel.data, route)))
        throw new UsageError(`There is no route ${route} for ${channel.data}. See rostrum route list.`);
    }),
  );
  answer({ org_id: org, channel: channel.data, route });
}
