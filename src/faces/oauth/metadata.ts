import type { FastifyInstance } from 'fastify';
import type { Permission } from '../../kernel/caller.ts';

export const oauthPaths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
};

const resourcePath = '/.well-known/oauth-protected-resource';

/** What a client reads before it asks: where tokens for the tools come from (RFC 9728), and how (RFC 8414). */
export function serveMetadata(
  app: FastifyInstance,
  { publicUrl, offered }: { readonly publicUrl: string; readonly offered: readonly Permission[] },
): void {
  const resource = {
    resource: `${publicUrl}/mcp`,
    resource_name: 'Rostrum',
    authorization_servers: [publicUrl],
    scopes_supported: offered,
    bearer_methods_supported: ['header'],
    resource_documentation: `${publicUrl}/docs`,
  };
  const server = {
    issuer: publicUrl,
    authorization_endpoint: publicUrl + oauthPaths.authorize,
    token_endpoint: publicUrl + oauthPaths.token,
    registration_endpoint: publicUrl + oauthPaths.register,
    revocation_endpoint: publicUrl + oauthPaths.revoke,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    scopes_supported: offered,
  };
  for (const [url, operation, document] of [
    [resourcePath, 'oauth_resource', resource],
    [`${resourcePath}/mcp`, 'oauth_resource', resource],
    ['/.well-known/oauth-authorization-server', 'oauth_server', server],
  ] as const)
    app.get(url, { config: { operation, face: 'oauth' } }, (_request, reply) =>
      reply.header('Cache-Control', 'public, max-age=300').send(document),
    );
}
