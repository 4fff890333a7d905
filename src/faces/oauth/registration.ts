import type { FastifyInstance } from 'fastify';
import { NewClient, registerClient } from '../../domain/connections/register-client.ts';
import { oauthPaths } from './metadata.ts';
import { answerRefusals, refuse, refuseForNow } from './refusal.ts';
import type { OauthParts } from './parts.ts';

const largestBody = 16 * 1024;

/** Clients register themselves (RFC 7591). They have no secrets: what they run on is in everybody's hands. */
export function serveRegistration(scope: FastifyInstance, { transact, keys, clock }: OauthParts): void {
  answerRefusals(scope, 'invalid_client_metadata');
  const config = { operation: 'register_client', face: 'oauth' } as const;
  scope.post(oauthPaths.register, { bodyLimit: largestBody, config }, async (request, reply) => {
    const parsed = NewClient.safeParse(request.body);
    if (!parsed.success) {
      const isAboutUris = parsed.error.issues.some(({ path }) => path[0] === 'redirect_uris');
      const error = isAboutUris ? 'invalid_redirect_uri' : 'invalid_client_metadata';
      return refuse(
        reply,
        error,
        parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join(' '),
      );
    }
    const now = clock.now();
    const asked = { client: parsed.data, address: request.ip };
    const client = await transact('write', (db) => registerClient(db, keys, asked, now));
    if ('kind' in client) return refuseForNow(reply, client.seconds);
    return reply.code(201).send({
      client_id: client.id,
      client_id_issued_at: Math.floor(now.getTime() / 1000),
      ...(client.name !== null && { client_name: client.name }),
      redirect_uris: client.redirectUris,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    });
  });
}
