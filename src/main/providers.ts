import type { Database } from '../database/pool.ts';
import type { Keyring } from '../database/work.ts';
import { defaultRoute } from '../domain/delivery/ledger/route.ts';
import type { TextHearing } from '../domain/delivery/outgoing/text-provider.ts';
import { keepRoutes, type OpenRoute } from '../domain/delivery/providers/keep-routes.ts';
import { smtpProvider } from '../domain/delivery/providers/smtp/smtp.ts';
import type { Config } from './config.ts';
import { mailSettings } from './mail-settings.ts';
import { routeConfig } from './route-settings.ts';
import { smtpServer } from './smtp-server.ts';
import { textSettings } from './text-settings.ts';

/** What these settings describe, as far as they do. */
export function openProviders(config: Config, hearing: TextHearing, route = defaultRoute): OpenRoute {
  const server = smtpServer(config);
  const texts = textSettings(config);
  const { publicUrl } = mailSettings(config);
  const email = server === undefined ? undefined : smtpProvider(server);
  const query = route === defaultRoute ? '' : `?route=${route}`;
  return {
    email,
    budgets: email?.budgets ?? [],
    text: texts?.provider.open({ settings: texts.settings, publicUrl, query, hearing }),
  };
}

/** Every way out of this installation: the one of the environment, and those that are rows. */
export const openRoutes = (
  config: Config,
  { database, keys }: { readonly database: Database; readonly keys: Keyring },
  hear: (route: string) => TextHearing,
  onTrouble: (route: string, error: Error) => void,
) =>
  keepRoutes({
    database,
    stored: keys.stored,
    byDefault: openProviders(config, hear(defaultRoute)),
    open: (name, kind, settings) => openProviders(routeConfig(config, kind, settings), hear(name), name),
    onTrouble,
  });
