import { isIP } from 'node:net';
import { z } from 'zod';
import { ChosenTextProvider, textProviderSettings } from '../domain/delivery/providers/text-providers.ts';
import { platformSettings } from '../domain/webinars/platforms/registry.ts';

const whole = (least: number, most: number, otherwise: number) =>
  z.coerce.number().int().min(least).max(most).default(otherwise);

const headerOf = (pair: string): [string, string] => {
  const at = pair.indexOf('=');
  return [pair.slice(0, at), decodeURIComponent(pair.slice(at + 1).trim())];
};

const percent = (otherwise: number) => z.coerce.number().min(0).max(100).default(otherwise);

/** 192.0.2.1, 192.0.2.1:53, 2001:db8::1 or [2001:db8::1]:53: a name would have to be looked up first. */
function isDnsServer(text: string): boolean {
  const [, host = text, port = '53'] = /^\[?(.*?)\]?:(\d{1,5})$/.exec(text) ?? [];
  if (isIP(text) !== 0) return true;
  return Number(port) >= 1 && Number(port) <= 65_535 && isIP(host) === (text.startsWith('[') ? 6 : 4);
}

const addresses = (otherwise: string) =>
  z
    .string()
    .transform((list) => list.split(',').map((address) => address.trim().replace(/\/+$/, '')))
    .pipe(z.array(z.url({ protocol: /^https?$/, error: 'must be addresses, http:// or https://' })))
    .default([otherwise]);

/** A host, an optional port, and nothing that would be silently ignored. */
function isSmtpServer(text: string): boolean {
  if (!URL.canParse(text) || !/^smtps?:\/\//i.test(text)) return false;
  const { protocol, hostname, pathname, search, searchParams } = new URL(text);
  const tls = searchParams.get('tls');
  const isKnown = search === '' || (searchParams.size === 1 && /^(required|offered|off)$/.test(tls ?? ''));
  return hostname !== '' && /^\/?$/.test(pathname) && isKnown && !(tls !== null && protocol === 'smtps:');
}

const isSecureOrLocal = (text: string): boolean =>
  /^https:/i.test(text) || ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(text).hostname);

/** Means that no host is set: no mail ever arrives at this name. */
export const noReturnPathHost = 'bounce.rostrum.test';

const Settings = z.object({
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must be a postgres:// address')
    .default('postgres://postgres@127.0.0.1:5432/rostrum')
    .describe(
      'Where the service keeps everything. The login must be a member of rostrum_app, rostrum_relay and rostrum_auth.',
    ),
  DATABASE_OWNER_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must be a postgres:// address')
    .optional()
    .describe('The login that migrates; DATABASE_URL when it is not set.'),
  DATABASE_ALLOW_SUPERUSER: z
    .stringbool()
    .default(false)
    .describe(
      'Serve with a login that is superuser or bypasses row level security. Nothing but the code then keeps ' +
        'organizations apart: for trying things out.',
    ),
  DATABASE_POOL_SIZE: whole(1, 500, 16).describe('Connections a process may hold.'),
  HOST: z.string().default('127.0.0.1').describe('The address the API listens on.'),
  PORT: whole(0, 65_535, 8700).describe('The port the API listens on; 0 takes any.'),
  OPERATOR_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('The address /health, /ready and /metrics of a process are asked at. Not for the world.'),
  OPERATOR_PORT: whole(0, 65_532, 8701).describe(
    'Their port at the API, and where one process runs all parts. The handlers take the next one, the relay and the ' +
      'mailbox the two after it; 0 takes any.',
  ),
  ROSTRUM_SECRET: z
    .string()
    .refine((list) => list.split(',').every((secret) => secret.trim().length >= 32), {
      error: 'must have at least 32 characters, each of them where there are several',
    })
    .describe(
      'Keys are derived from it. Several are parted by commas: the first makes, all are believed. One that is dropped ' +
        'ends the links of messages it made and forgets which addresses of deleted people are suppressed.',
    ),
  ROSTRUM_SEALING_SECRETS: z
    .string()
    .transform((list) => list.split(',').map((secret) => secret.trim()))
    .pipe(z.array(z.string().min(32, 'must have at least 32 characters each')))
    .optional()
    .describe(
      'Secrets, parted by commas, that plan tokens and DKIM keys are sealed by: the first seals, all open. ' +
        'ROSTRUM_SECRET when it is not set.',
    ),
  MAIL_RETURN_PATH_HOST: z
    .string()
    .toLowerCase()
    .max(253)
    .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/, 'must be a host name')
    .default(noReturnPathHost)
    .describe(
      'Where bounces come back to. Every sending domain publishes a CNAME to it, so set it before the first sender is made.',
    ),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe(
      'Where recipients reach the API: links, pictures and unsubscribing in messages. http://HOST:PORT when not set.',
    ),
  MCP_ORIGINS: z
    .string()
    .transform((list) => list.split(',').map((origin) => origin.trim()))
    .pipe(
      z.array(z.string().regex(/^https?:\/\/[^/]+$/, 'must be origins such as https://assistant.example')),
    )
    .default([])
    .describe(
      'Whose pages may call /mcp from a browser, parted by commas; the origin of PUBLIC_URL always may.',
    ),
  SMTP_URL: z
    .string()
    .refine(
      isSmtpServer,
      'must be smtp:// or smtps:// with a host, and ?tls=required, offered or off at most',
    )
    .optional()
    .describe(
      'The mail server that email is handed to: smtp://user:password@host:587, or smtps:// for TLS from the start. ' +
        'smtp:// uses STARTTLS: where it is offered, or always when there is a password; ?tls= says otherwise. ' +
        'Without it only test organizations can send email, into a sink.',
    ),
  SMTP_NAME: z
    .string()
    .regex(/^[a-z0-9.-]+$/i, 'must be a host name')
    .optional()
    .describe("What we call ourselves there; this machine's name when not set."),
  SMTP_CONNECTIONS: whole(1, 500, 10).describe(
    'Connections to that server, of all processes together. Each has an equal part, one at least.',
  ),
  SMTP_DKIM: z
    .enum(['ours', 'server'])
    .default('ours')
    .describe(
      'Who signs email for the domain of its sender: we do, or that server, which then must have a key for every domain.',
    ),
  ACCOUNT_MAIL_FROM: z
    .string()
    .regex(
      /^([^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
      'must be an address, with a name or without',
    )
    .optional()
    .describe(
      'Who mail about accounts comes from: Rostrum <no-reply@example.com>. no-reply at the host of PUBLIC_URL when not set.',
    ),
  SIGN_UP: z
    .enum(['open', 'closed'])
    .default('closed')
    .describe(
      'Whether anybody may make an account with an address of their own. Closed, rostrum user create makes them.',
    ),
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .refine(isSecureOrLocal, 'must be https://, or http:// on this machine')
    .optional()
    .describe(
      'An identity provider that people may sign in by, as OpenID Connect names it: https://login.example.com',
    ),
  OIDC_CLIENT_ID: z.string().optional().describe('What it knows this installation by.'),
  OIDC_CLIENT_SECRET: z.string().optional().describe('The secret it gave this installation.'),
  OIDC_NAME: z
    .string()
    .min(1)
    .max(40)
    .default('your company account')
    .describe('What people call it: "Continue with ...".'),
  MAILBOX_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('The address that bounces, complaints and replies are taken at, by SMTP.'),
  MAILBOX_PORT: whole(0, 65_535, 2526).describe('The port of the mailbox; 0 takes any.'),
  MAILBOX_TLS_CERT_FILE: z
    .string()
    .optional()
    .describe('A certificate in PEM; with it and its key the mailbox offers STARTTLS.'),
  MAILBOX_TLS_KEY_FILE: z.string().optional().describe('The key of that certificate.'),
  SES_TOPIC_ARNS: z
    .string()
    .transform((list) => list.split(',').map((arn) => arn.trim()))
    .pipe(z.array(z.string().regex(/^arn:aws[a-z-]*:sns:[^:]+:\d+:[^:]+$/, 'must be ARNs of SNS topics')))
    .optional()
    .describe('SNS topics, parted by commas, that SES reports to; /webhooks/ses answers only with them.'),
  MAILGUN_SIGNING_KEY: z
    .string()
    .min(16)
    .optional()
    .describe('The key Mailgun signs its webhooks with; /webhooks/mailgun answers only with it.'),
  SMS_PROVIDER: ChosenTextProvider,
  ...textProviderSettings,
  ...platformSettings,
  DNS_SERVERS: z
    .string()
    .transform((list) => list.split(',').map((server) => server.trim()))
    .pipe(z.array(z.string().refine(isDnsServer, 'must be addresses, each with a port or without')))
    .optional()
    .describe(
      "Resolvers, parted by commas, that sending domains are looked up at; the system's when not set.",
    ),
  RESTATE_INGRESS_URL: addresses('http://127.0.0.1:8080').describe(
    'Where the relay hands messages over: of a cluster every node, parted by commas.',
  ),
  RESTATE_ADMIN_URL: addresses('http://127.0.0.1:9070').describe(
    'Where the handlers are registered: of a cluster every node, parted by commas.',
  ),
  RESTATE_IDENTITY_KEY: z
    .string()
    .regex(/^publickeyv1_\w+$/, 'must be a publickeyv1_… key, as Restate prints it at start')
    .optional()
    .describe('The public key Restate signs its requests for; the handlers need it.'),
  HANDLERS_HOST: z.string().default('127.0.0.1').describe('The address the durable handlers listen on.'),
  HANDLERS_PORT: whole(0, 65_535, 9080).describe('The port the durable handlers listen on; 0 takes any.'),
  HANDLERS_URL: z
    .url()
    .optional()
    .describe('Where Restate reaches the handlers, when that is another address.'),
  JOURNAL_DIR: z
    .string()
    .default('.rostrum/journal')
    .describe(
      'A folder of this machine in which the handlers note what they hand over, so that little is uncertain when one is killed.',
    ),
  RATE_READ_PER_MINUTE: whole(1, 1_000_000_000, 120_000).describe(
    'Reads an organization may make in a minute.',
  ),
  RATE_WRITE_PER_MINUTE: whole(1, 1_000_000_000, 60_000).describe(
    'Writes an organization may make in a minute.',
  ),
  RATE_HEAVY_PER_MINUTE: whole(1, 1_000_000_000, 12_000).describe(
    'Searches and other heavy calls in a minute. One counts once more for each quarter of a second it takes.',
  ),
  RETENTION: z
    .enum(['drop', 'detach'])
    .default('drop')
    .describe(
      'What becomes of months that are past what is kept: they are dropped, or detached and left to you.',
    ),
  KEEP_TRACKING_HITS_MONTHS: whole(1, 1_200, 3).describe(
    'Whole months of single opens and clicks that are kept.',
  ),
  KEEP_EVENTS_MONTHS: whole(1, 1_200, 25).describe('Of the events of people.'),
  KEEP_DELIVERIES_MONTHS: whole(1, 1_200, 25).describe(
    'Of what each person was sent, and what became of it.',
  ),
  KEEP_RUNS_MONTHS: whole(1, 1_200, 25).describe('Of the runs of workflows, after they ended.'),
  KEEP_IMPORT_FAILURES_MONTHS: whole(1, 1_200, 13).describe(
    'Of the rows that imports left out, after the import finished.',
  ),
  KEEP_AUDIT_MONTHS: whole(1, 1_200, 84).describe('Of the audit log.'),
  KEEP_AT_LEAST_MONTHS: whole(1, 1_200, 3).describe(
    'Whole months that are kept even of an organization that asks for less.',
  ),
  SUSPEND_ABOVE_BOUNCES: percent(10).describe(
    'An organization is suspended when more percent of what it handed over in 24 hours bounced for good.',
  ),
  SUSPEND_ABOVE_COMPLAINTS: percent(0.3).describe('The same for complaints, in percent.'),
  SUSPEND_FROM_MESSAGES: whole(1, 1_000_000_000, 500).describe(
    'Fewer messages in 24 hours than this are not judged.',
  ),
  UNKNOWN_KEYS_PER_MINUTE: whole(1, 60_000, 120).describe(
    'API keys that do not work which an address may try in a minute, at each process.',
  ),
  BODY_LIMIT_BYTES: whole(1_024, 64_000_000, 1_048_576).describe('The largest request body read.'),
  METRICS_TOKEN: z.string().min(16).optional().describe('When set, /metrics asks for it as a bearer token.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe(
      'Where traces go, by OTLP over HTTP: http://collector:4318. Nothing is traced when it is not set.',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^([\w-]+=[^,]*(,|$))+$/, 'must be name=value, parted by commas')
    .transform((list) => Object.fromEntries(list.split(',').map(headerOf)))
    .optional()
    .describe('Headers for it, such as a credential: name=value, parted by commas, values URL-encoded.'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('The share of calls that are traced, 0 to 1.'),
  TRUST_PROXY: z.stringbool().default(false).describe('Take the client address from X-Forwarded-For.'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

export type Config = z.output<typeof Settings>;

export const settingNames = Object.keys(Settings.shape);

/** Every setting of the service, checked once at start. The message names each variable that is wrong, and why. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Settings.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    const problem = given[name] === undefined ? 'is not set' : issue.message;
    return `  ${name} ${problem}. ${Settings.shape[name as keyof Config].description ?? ''}`.trimEnd();
  });
  throw new ConfigError(`The configuration is not right:\n${lines.join('\n')}`);
}

/** Its message is printed for the operator, without a stack. */
export class ConfigError extends Error {}
