import { freePort } from '../../src/main/free-ports.ts';
import type { Closing } from './broadcast-stage.ts';
import { Part } from './part.ts';

export const secret = 'a secret for fault runs that guards nothing';

/** Where Restate is reached, one node or several. */
export interface EngineAddress {
  readonly ingressUrl: string;
  readonly adminUrl: string;
  readonly identityKey: string;
}

/** API, handlers and relay over a database and an engine, not started yet; they are ended with everything else. */
export async function serviceParts(
  databaseUrl: string,
  engine: EngineAddress,
  closing: Closing,
  more: Readonly<Record<string, string>> = {},
) {
  const env = {
    DATABASE_URL: databaseUrl,
    ROSTRUM_SECRET: secret,
    RESTATE_INGRESS_URL: engine.ingressUrl,
    RESTATE_ADMIN_URL: engine.adminUrl,
    RESTATE_IDENTITY_KEY: engine.identityKey,
    HANDLERS_PORT: String(await freePort()),
    PORT: String(await freePort()),
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'info',
    ...more,
  };
  const [handlers, relay, api] = [new Part('handlers', env), new Part('relay', env), new Part('api', env)];
  for (const part of [handlers, relay, api]) closing.push(() => part.kill('SIGTERM'));
  return { env, url: `http://127.0.0.1:${env.PORT}`, handlers, relay, api };
}
