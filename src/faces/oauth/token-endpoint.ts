import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isFor } from '../../domain/connections/authorization-request.ts';
import { exchangeCode } from '../../domain/connections/exchange-code.ts';
import { refreshTokens } from '../../domain/connections/refresh-tokens.ts';
import { revokeToken } from '../../domain/connections/revoke-token.ts';
import type { IssuedTokens } from '../../domain/connections/token-pair.ts';
import { failedAttempts } from '../../domain/orgs/failed-attempts.ts';
import { oauthPaths } from './metadata.ts';
import { answerRefusals, refuse, refuseForNow } from './refusal.ts';
import type { OauthParts } from './parts.ts';

const largestForm = 16 * 1024;
/** For a network, in a minute and at each process. */
const wrongPerMinute = 60;

/** Tokens for a code, new tokens for old ones, and the end of both (RFC 7009). */
export function serveTokens(scope: FastifyInstance, parts: OauthParts): void {
  const { publicUrl, clock, inTurn } = parts;
  const wrong = failedAttempts(wrongPerMinute);
  answerRefusals(scope, 'invalid_request');
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: largestForm },
    (_request, body, done) => done(null, new URLSearchParams(body as string)),
  );

  const on = (url: string, operation: string, act: (asked: Asked) => Promise<FastifyReply>): void =>
    void scope.post(url, { config: { operation, face: 'oauth' } }, async (request, reply) => {
      const wait = wrong.waitOf(request.ip, clock.now());
      if (wait > 0) return refuseForNow(reply, wait);
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      const names = [...form.keys()];
      if (new Set(names).size < names.length) return refuse(reply, 'invalid_request', 'Say everything once.');
      const field = (name: string): string => form.get(name) ?? '';
      const asking = { clientId: field('client_id'), requestId: request.id, address: request.ip };
      return act({ request, reply, form, field, asking });
    });

  on(oauthPaths.token, 'issue_tokens', async ({ request, reply, form, field, asking }) => {
    if (!isFor(`${publicUrl}/mcp`, form.get('resource')))
      return refuse(reply, 'invalid_target', `resource must be ${publicUrl}/mcp.`);
    const now = clock.now();
    const issue = {
      authorization_code: () => {
        const redirectUri = form.get('redirect_uri') ?? undefined;
        const given = { ...asking, code: field('code'), verifier: field('code_verifier'), redirectUri };
        return exchangeCode(parts, given, now);
      },
      refresh_token: () => refreshTokens(parts, { ...asking, token: field('refresh_token') }, now),
    }[field('grant_type')];
    if (issue === undefined)
      return refuse(
        reply,
        'unsupported_grant_type',
        'Send authorization_code or refresh_token as grant_type.',
      );
    const issued = await inTurn(issue);
    if (issued !== undefined) return reply.send(answerOf(issued));
    wrong.add(request.ip, now);
    return refuse(reply, 'invalid_grant', 'It is over, was used, or is not for this client.');
  });

  on(oauthPaths.revoke, 'revoke_token', async ({ reply, field, asking }) => {
    await inTurn(() => revokeToken(parts, { ...asking, token: field('token') }, clock.now()));
    return reply.send({});
  });
}

interface Asked {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly form: URLSearchParams;
  readonly field: (name: string) => string;
  readonly asking: { readonly clientId: string; readonly requestId: string; readonly address: string };
}

const answerOf = ({ access, refresh, seconds, permissions }: IssuedTokens) => ({
  access_token: access,
  token_type: 'Bearer',
  expires_in: seconds,
  refresh_token: refresh,
  scope: permissions.join(' '),
});
