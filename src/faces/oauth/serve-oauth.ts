import type { FastifyInstance } from 'fastify';
import { serveMetadata } from './metadata.ts';
import type { OauthParts } from './parts.ts';
import { serveRegistration } from './registration.ts';
import { serveTokens } from './token-endpoint.ts';

/** The authorization server, as programs see it. What people see of it is among the pages of accounts. */
export async function serveOauth(app: FastifyInstance, parts: OauthParts): Promise<void> {
  serveMetadata(app, parts);
  for (const serve of [serveRegistration, serveTokens])
    await app.register((scope, _options, done) => {
      serve(scope, parts);
      done();
    });
}
