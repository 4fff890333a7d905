import type { Route, RouteSettings } from '../domain/delivery/providers/routes.ts';
import {
  textProviderOf,
  textProviders,
  type TextProviderName,
} from '../domain/delivery/providers/text-providers.ts';
import { ConfigError, readConfig, type Config } from './config.ts';
import { textSettings } from './text-settings.ts';

/** Which settings of the environment describe a route of each kind. */
const takes: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'smtp',
    ['SMTP_URL', 'SMTP_NAME', 'SMTP_CONNECTIONS', 'SMTP_DKIM', 'SES_TOPIC_ARNS', 'MAILGUN_SIGNING_KEY'],
  ],
  ...Object.keys(textProviders).map(
    (name) => [name, Object.keys(textProviderOf(name as TextProviderName).settings)] as const,
  ),
]);

export const routeKinds = [...takes.keys()];

/** The configuration in which a route's settings are the only ones about sending. */
export function routeConfig(
  { ROSTRUM_SECRET, PUBLIC_URL }: Config,
  kind: string,
  settings: RouteSettings,
): Config {
  const names = takes.get(kind) ?? [];
  const unknown = Object.keys(settings).filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new ConfigError(
      `${unknown.join(' and ')} cannot be set: a route of kind ${kind} takes ${names.join(', ')}.`,
    );
  const config = readConfig({
    ROSTRUM_SECRET,
    PUBLIC_URL,
    ...settings,
    ...(kind !== 'smtp' && { SMS_PROVIDER: kind }),
  });
  if (kind === 'smtp' && config.SMTP_URL === undefined) throw new ConfigError('SMTP_URL is not set.');
  textSettings(config); // throws if one is missing
  return config;
}

/** A route as the operator describes it, checked as the environment is at start. */
export function readRoute(
  config: Config,
  { name, kind, settings }: Pick<Route, 'name' | 'kind' | 'settings'>,
): Route {
  const checked = routeConfig(config, kind, settings);
  const isEmail = kind === 'smtp';
  const [, address] = Object.entries(checked).find(
    ([setting, value]) =>
      takes.get(kind)!.includes(setting) && setting.endsWith('_URL') && value !== undefined,
  )!;
  const { protocol, host } = new URL(address as string);
  return {
    name,
    kind,
    settings,
    channel: isEmail ? 'email' : 'sms',
    address: `${protocol}//${host}`,
    connections: isEmail ? checked.SMTP_CONNECTIONS : null,
  };
}
