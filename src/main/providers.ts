import type { Providers } from '../domain/delivery/outgoing.ts';
import { smtpProvider } from '../domain/delivery/providers/smtp.ts';
import type { Config } from './config.ts';
import { smtpServer } from './smtp-server.ts';
import { openTexts, type TextHearing } from './text-settings.ts';

/** What this installation sends through, as far as it is set up. */
export function openProviders(config: Config, hearing: TextHearing): Providers {
  const server = smtpServer(config);
  return {
    email: server === undefined ? undefined : smtpProvider(server),
    text: openTexts(config, hearing),
  };
}
