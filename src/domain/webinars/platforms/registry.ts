import { z } from 'zod';
import type { Connector } from './connector.ts';
import { goto } from './goto/goto.ts';
import type { ConnectOptions, Platform } from './platform.ts';
import { zoom } from './zoom/zoom.ts';

/** Every webinar platform, by its name in the API and in rows. One that lacks a part does not compile. */
export const platforms = { zoom, goto } as const satisfies Readonly<Record<string, Platform>>;

type Named = typeof platforms;
export type PlatformName = keyof Named;
const names = Object.keys(platforms) as [PlatformName, ...PlatformName[]];
export const PlatformName = z.enum(names);

/** The platform with this name, as rows store it. */
export const platformOf = (name: string): Platform => platforms[PlatformName.parse(name)];

/** All platforms, typed by what they have in common. */
export const everyPlatform = names.map((name): readonly [PlatformName, Platform] => [name, platforms[name]]);

export type PlatformSettings = Readonly<
  Record<{ [Name in PlatformName]: keyof Named[Name]['settings'] }[PlatformName], string>
>;

/** The installation's settings for platforms, as its configuration reads them. */
export const platformSettings = Object.fromEntries(
  everyPlatform.flatMap(([, { settings }]) =>
    Object.entries(settings).map(([setting, { url, words }]) => [
      setting,
      z
        .url({ protocol: /^https?$/ })
        .default(url)
        .describe(words),
    ]),
  ),
) as Readonly<Record<keyof PlatformSettings, z.ZodDefault<z.ZodURL>>>;

export type Connectors = Readonly<Record<PlatformName, Connector>>;

export const connectPlatforms = (settings: PlatformSettings, options?: ConnectOptions): Connectors =>
  Object.fromEntries(
    everyPlatform.map(([name, platform]) => [name, platform.connect(settings, options)]),
  ) as Connectors;
