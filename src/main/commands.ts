import type { ParseArgsOptionsConfig } from 'node:util';
import { runMigrations } from '../database/run-migrations.ts';
import { feedbackAddress } from '../domain/delivery/outgoing/feedback-address.ts';
import { createOrganization } from '../domain/orgs/create-organization.ts';
import { systemClock } from '../kernel/clock.ts';
import { OrgId } from '../kernel/ids.ts';
import { answer, readId, say, wholeNumber, type Values } from './arguments.ts';
import { readConfig } from './config.ts';
import { keyring } from './keys.ts';
import { manageKeys, manageOrgs } from './manage-orgs.ts';
import { seedPeople } from './seed-people.ts';
import { readDatabaseConfig, withDatabase } from './with-database.ts';

interface Command {
  readonly help: readonly [usage: string, does: string][];
  readonly options: ParseArgsOptionsConfig;
  readonly run: (values: Values, positionals: string[]) => Promise<void>;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

/** Each command loads its own modules when it runs: loading the whole service takes a second. */
export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  [
    'dev',
    {
      help: [['dev [--port N] [--json]', 'run everything here, with a demonstration organization']],
      options: { port: text, json: flag },
      run: async (values) =>
        (await import('./dev.ts')).dev({ port: wholeNumber(values, 'port'), json: values['json'] === true }),
    },
  ],
  ['migrate', { help: [['migrate', 'bring the database up to date']], options: {}, run: migrate }],
  [
    'org',
    {
      help: [
        [
          'org create --name NAME [--test] [--currency USD] [--permissions a,b|all] [--owner ADDRESS]',
          'make an organization and its first key',
        ],
        ['org list', 'every organization, a line of JSON each'],
        ['org transfer ID --to ADDRESS', 'make a user its only owner; those who were become admins'],
        [
          'org allow --org ID --channel email|sms [--per-month N]',
          'limit what it may send; without N: no limit',
        ],
        [
          'org route ID --channel email|sms --route NAME|default',
          'have what it sends go over a route of its own, or over the default again',
        ],
        ['org suspend ID --reason TEXT', 'nothing is sent and nothing changes until it is resumed'],
        ['org resume ID', 'go on with everything that was due meanwhile'],
        ['org delete ID --confirm NAME', 'remove it and everything it has, for good'],
      ],
      options: {
        name: text,
        test: flag,
        currency: text,
        permissions: text,
        owner: text,
        to: text,
        org: text,
        channel: text,
        'per-month': text,
        route: text,
        reason: text,
        confirm: text,
      },
      run: manageOrgs,
    },
  ],
  [
    'route',
    {
      help: [
        [
          'route add NAME --kind smtp|twilio|smpp --settings FILE',
          'make a way out beside the one of the environment, from lines such as SMTP_URL=…',
        ],
        ['route change NAME --kind … --settings FILE', 'put other settings in its place'],
        ['route list', 'every route without its secrets, a line of JSON each'],
        ['route remove NAME', 'end a route that no organization uses'],
      ],
      options: { kind: text, settings: text },
      run: async (values, positionals) =>
        (await import('./manage-routes.ts')).manageRoutes(values, positionals),
    },
  ],
  [
    'key',
    {
      help: [
        [
          'key create --org ID --name NAME [--permissions a,b|all] [--days N]',
          'make an API key; without permissions: everything but settings.write',
        ],
        ['key list --org ID', 'its API keys without their secrets, a line of JSON each'],
        ['key revoke --org ID --key ID', 'end an API key'],
      ],
      options: { org: text, name: text, permissions: text, days: text, key: text },
      run: manageKeys,
    },
  ],
  [
    'user',
    {
      help: [
        ['user create --email ADDRESS', 'make a link by which a person makes an account; no mail is sent'],
        ['user reset --email ADDRESS', 'make a link to a new password; the old one works until it is used'],
      ],
      options: { email: text },
      run: async (values, positionals) =>
        (await import('./manage-users.ts')).manageUsers(values, positionals),
    },
  ],
  [
    'seed',
    {
      help: [['seed --people N [--org ID]', 'fill an organization with made-up people']],
      options: { people: text, org: text },
      run: seed,
    },
  ],
  [
    'serve',
    {
      help: [['serve api|handlers|relay|mailbox|all', 'run a part until SIGTERM']],
      options: {},
      run: async (_values, positionals) => (await import('./serve.ts')).serve(positionals),
    },
  ],
  [
    'handlers',
    {
      help: [
        ['handlers list', 'releases that the engine knows, and how much each has begun and not ended'],
        ['handlers use ID', 'give the new work to another release again'],
        ['handlers remove ID [--give-up]', 'forget a release on which nothing is left'],
      ],
      options: { 'give-up': flag },
      run: async (values, positionals) =>
        (await import('./manage-handlers.ts')).manageHandlers(values, positionals),
    },
  ],
  [
    'feedback-address',
    {
      help: [['feedback-address', 'tell where complaints of mailbox providers come to: for them alone']],
      options: {},
      run: tellFeedbackAddress,
    },
  ],
  [
    'rearm',
    {
      help: [['rearm', 'tell the engine again about everything that is due or will be']],
      options: {},
      run: rearmEngine,
    },
  ],
  [
    'recover',
    {
      help: [
        [
          'recover [--release]',
          'tell whether sending is held because the database went back; let it continue',
        ],
      ],
      options: { release: flag },
      run: async (values) => (await import('./recover.ts')).recover({ release: values['release'] === true }),
    },
  ],
]);

export function usage(): string {
  const lines = [...commands.values()].flatMap(({ help }) => help);
  const width = Math.max(...lines.map(([command]) => command.length));
  return [
    'rostrum: an audience messaging service',
    '',
    ...lines.map(([command, does]) => `  ${command.padEnd(width)}  ${does}`),
  ].join('\n');
}

async function migrate(): Promise<void> {
  const { DATABASE_URL, DATABASE_OWNER_URL } = readDatabaseConfig();
  const applied = await runMigrations(DATABASE_OWNER_URL ?? DATABASE_URL);
  say(applied.length === 0 ? 'Nothing to migrate.' : `Applied ${applied.join(', ')}.`);
}

async function seed(values: Values): Promise<void> {
  const people = wholeNumber(values, 'people') ?? 1_000;
  const now = systemClock.now();
  await withDatabase(async (database) => {
    const made =
      values['org'] === undefined
        ? await createOrganization(database, { name: 'Seeded', mode: 'test' }, { name: 'seed' }, now)
        : { org: readId(OrgId, values, 'org'), secret: undefined };
    const onProgress = (done: number): void => void process.stderr.write(`\r${done} of ${people} people`);
    await seedPeople(database, { org: made.org, people, now, onProgress });
    process.stderr.write('\n');
    answer({ org_id: made.org, people, ...(made.secret !== undefined && { api_key: made.secret }) });
  });
}

async function tellFeedbackAddress(): Promise<void> {
  const config = readConfig(process.env);
  say(feedbackAddress(keyring(config), config.MAIL_RETURN_PATH_HOST));
}

async function rearmEngine(): Promise<void> {
  const { rearm } = await import('../durable/sweep.ts');
  const told = await withDatabase((database) => rearm(database, systemClock.now()));
  say(`Told the engine about ${told} things again.`);
}
