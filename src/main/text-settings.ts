import {
  textProviderOf,
  type textProviderSettings,
  type TextProviderName,
} from '../domain/delivery/providers/text-providers.ts';
import type { TextProviderKind } from '../domain/delivery/outgoing/text-provider.ts';
import { ConfigError, type Config } from './config.ts';

export interface TextSettings {
  readonly through: TextProviderName;
  readonly provider: TextProviderKind;
  readonly settings: Readonly<Record<string, string>>;
}

/** The provider of texts, if one is configured. Settings that belong together must all be set. */
export function textSettings(config: Config): TextSettings | undefined {
  const through = config.SMS_PROVIDER;
  if (through === 'none') return undefined;
  const provider = textProviderOf(through);
  const names = Object.keys(provider.settings) as (keyof typeof textProviderSettings)[];
  // A provider that calls us needs our address.
  const needed = provider.hears.by === 'webhook' ? [...names, 'PUBLIC_URL' as const] : names;
  const missing = needed.filter((name) => config[name] === undefined);
  if (missing.length > 0) {
    const verb = missing.length === 1 ? 'is' : 'are';
    throw new ConfigError(`SMS_PROVIDER is ${through}, but ${missing.join(' and ')} ${verb} not set.`);
  }
  const settings = Object.fromEntries(names.map((name) => [name, config[name]!]));
  return { through, provider, settings };
}
