import type { ParseArgsOptionsConfig } from 'node:util';
import { z } from 'zod';
import { orgTransaction } from '../database/org-transaction.ts';
import { openDatabase, openPool, type Database } from '../database/pool.ts';
import { runMigrations } from '../database/run-migrations.ts';
import { createApiKey, revokeApiKey } from '../domain/orgs/api-key.ts';
import { createOrganization } from '../domain/orgs/create-organization.ts';
import { sweep } from '../durable/sweep.ts';
import { permissions, type Permission } from '../kernel/caller.ts';
import { systemClock } from '../kernel/clock.ts';
import { OrgId } from '../kernel/ids.ts';
import { readConfig } from './config.ts';
import { dev } from './dev.ts';
import { createLog } from './log.ts';
import { startApi, startHandlers, startRelay } from './processes.ts';
import { seedPeople } from './seed-people.ts';
import { untilStopped } from './until-stopped.ts';

type Values = Record<string, string | boolean | (string | boolean)[] | undefined>;

interface Command {
  readonly help: string;
  readonly options: ParseArgsOptionsConfig;
  readonly run: (values: Values, positionals: string[]) => Promise<void>;
}

export class UsageError extends Error {}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  [
    'dev',
    {
      help: 'dev [--port N] [--json]                    run everything here, with a demonstration organization',
      options: { port: text, json: flag },
      run: (values) => dev({ port: whole(values, 'port'), json: values['json'] === true }),
    },
  ],
  [
    'migrate',
    {
      help: 'migrate                                    bring the database up to date',
      options: {},
      run: async () => {
        const { DATABASE_URL, DATABASE_OWNER_URL } = readDatabaseConfig();
        const applied = await runMigrations(DATABASE_OWNER_URL ?? DATABASE_URL);
        say(applied.length === 0 ? 'Nothing to migrate.' : `Applied ${applied.join(', ')}.`);
      },
    },
  ],
  [
    'org',
    {
      help: 'org create --name NAME [--test] [--currency USD]   make an organization and its first key',
      options: { name: text, test: flag, currency: text },
      run: async (values, [verb]) => {
        if (verb !== 'create') throw new UsageError('Say: rostrum org create --name NAME');
        const name = word(values, 'name');
        const currency = values['currency'];
        const made = await withDatabase((database) =>
          createOrganization(
            database,
            {
              name,
              mode: values['test'] === true ? 'test' : 'live',
              ...(typeof currency === 'string' && { currency }),
            },
            { name: 'first key' },
            systemClock.now(),
          ),
        );
        answer({ org_id: made.org, key_id: made.keyId, api_key: made.secret });
      },
    },
  ],
  [
    'key',
    {
      help:
        'key create --org ID --name NAME [--permissions a,b] [--days N]\n' +
        '  key revoke --org ID --key ID                 make or end an API key',
      options: { org: text, name: text, permissions: text, days: text, key: text },
      run: runKey,
    },
  ],
  [
    'seed',
    {
      help: 'seed --people N [--org ID]                 fill an organization with made-up people',
      options: { people: text, org: text },
      run: async (values) => {
        const people = whole(values, 'people') ?? 1_000;
        await withDatabase(async (database) => {
          const now = systemClock.now();
          const given = values['org'];
          const made =
            given === undefined
              ? await createOrganization(database, { name: 'Seeded', mode: 'test' }, { name: 'seed' }, now)
              : { org: OrgId.parse(given), secret: undefined };
          const onProgress = (done: number) => process.stderr.write(`\r${done} of ${people} people`);
          await seedPeople(database, { org: made.org, people, now, onProgress });
          process.stderr.write('\n');
          answer({ org_id: made.org, people, ...(made.secret !== undefined && { api_key: made.secret }) });
        });
      },
    },
  ],
  [
    'serve',
    {
      help: 'serve api|handlers|relay|all               run a part of the service until SIGTERM',
      options: {},
      run: runServe,
    },
  ],
  [
    'rearm',
    {
      help: 'rearm                                      tell the engine again about everything that is due',
      options: {},
      run: async () => {
        const swept = await withDatabase((database) => sweep(database, systemClock.now(), 0));
        say(`Told the engine about ${swept.rearmed} changes again.`);
      },
    },
  ],
]);

export const usage = (): string =>
  `rostrum: an audience messaging service\n\n  ${[...commands.values()].map(({ help }) => help).join('\n  ')}`;

async function runKey(values: Values, [verb]: string[]): Promise<void> {
  const org = OrgId.parse(word(values, 'org'));
  const now = systemClock.now();
  if (verb === 'revoke') {
    const id = z.guid().parse(word(values, 'key'));
    const ended = await withDatabase((database) =>
      orgTransaction(database, org, 'write', (db) => revokeApiKey(db, org, id, now)),
    );
    if (!ended) throw new UsageError('This organization has no such key that is still valid.');
    return say('Revoked.');
  }
  if (verb !== 'create') throw new UsageError('Say: rostrum key create … or rostrum key revoke …');
  const named = values['permissions'];
  const wanted = typeof named === 'string' ? z.array(z.enum(permissions)).parse(named.split(',')) : undefined;
  const days = whole(values, 'days');
  const made = await withDatabase((database) =>
    orgTransaction(database, org, 'write', async (db) => {
      const found = await db
        .selectFrom('organizations')
        .select('mode')
        .where('id', '=', org)
        .executeTakeFirst();
      if (found === undefined) throw new UsageError('There is no organization with this id.');
      const key = {
        name: word(values, 'name'),
        ...(wanted !== undefined && { permissions: wanted satisfies Permission[] }),
        ...(days !== undefined && { expiresAt: new Date(now.getTime() + days * 86_400_000) }),
      };
      return createApiKey(db, { id: org, mode: found.mode as 'live' | 'test' }, key, now);
    }),
  );
  answer({ org_id: org, key_id: made.id, api_key: made.secret });
}

async function runServe(_values: Values, [part = 'all']: string[]): Promise<void> {
  const parts = { handlers: startHandlers, relay: startRelay, api: startApi };
  const chosen = Object.entries(parts).filter(([name]) => part === 'all' || part === name);
  if (chosen.length === 0) throw new UsageError('Say: rostrum serve api, handlers, relay or all.');
  const config = readConfig(process.env);
  const log = createLog(config.LOG_LEVEL, `rostrum ${part}`);
  const running = [];
  for (const [, start] of chosen) running.push(await start(config, log));
  await untilStopped();
  log.info('draining');
  for (const one of running.toReversed()) await one.close();
}

/** For commands that need the database alone: no secret is asked for. */
const readDatabaseConfig = () => readConfig({ ROSTRUM_SECRET: 'x'.repeat(32), ...process.env });

async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const pool = openPool({ url: readDatabaseConfig().DATABASE_URL, size: 2, onError: () => undefined });
  try {
    return await work(openDatabase(pool));
  } finally {
    await pool.end();
  }
}

function word(values: Values, name: string): string {
  const value = values[name];
  if (typeof value !== 'string' || value === '') throw new UsageError(`--${name} is missing.`);
  return value;
}

function whole(values: Values, name: string): number | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isInteger(number) || number < 0) throw new UsageError(`--${name} takes a whole number.`);
  return number;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const answer = (result: object): void => say(JSON.stringify(result));
