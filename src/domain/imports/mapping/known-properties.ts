import { mostConfigs } from '../../properties/create-property-config.ts';
import { toSnakeCase } from '../../properties/property-config.ts';
import { closestKeyFinder } from './closest-key.ts';
import type { Config } from './targets.ts';

/** The organization's properties, as a mapping asks about them. */
export interface Properties {
  readonly byKey: ReadonlyMap<string, Config>;
  /** Tries the key as written, then in snake_case, as everywhere keys are sent. */
  readonly find: (key: string) => Config | undefined;
  readonly closest: (key: string) => string | undefined;
  /** How many more may be created. */
  readonly room: number;
}

export function knownProperties(configs: readonly Config[]): Properties {
  const byKey = new Map(configs.map((config) => [config.key, config]));
  return {
    byKey,
    find: (key) => byKey.get(key) ?? byKey.get(toSnakeCase(key)),
    closest: closestKeyFinder([...byKey.keys()]),
    room: Math.max(0, mostConfigs - configs.length),
  };
}
