import type { FastifyRequest } from 'fastify';
import { hasOneCredential } from '../../catalogue/one-credential.ts';
import type { AuthenticateConnection } from '../../domain/connections/authenticate-connection.ts';
import { callerOfConnection, couldGet } from '../../domain/connections/caller-of-connection.ts';
import { isAccessToken } from '../../domain/connections/token.ts';
import type { Authenticate } from '../../domain/orgs/authenticate.ts';
import { callerOfKey } from '../../domain/orgs/caller-of-key.ts';
import type { Caller, Permission } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';

export interface ToolCredentials {
  readonly authenticate: Authenticate;
  readonly authenticateConnection: AuthenticateConnection;
  readonly clock: Clock;
}

export interface ToolCaller {
  readonly caller: Caller;
  /** What a list of tools shows: a key's own permissions, or all that the user of a connection could grant it. */
  readonly offered: ReadonlySet<Permission>;
}

/** A key or the token of a connection as bearer, or a bare key with `Auth-Type: api`. */
export async function authenticateTool(
  request: FastifyRequest,
  { authenticate, authenticateConnection, clock }: ToolCredentials,
): Promise<ToolCaller | undefined> {
  if (!hasOneCredential(request.raw)) return undefined;
  const { authorization = '', 'auth-type': authType } = request.headers;
  const bearer = /^bearer (.+)$/i.exec(authorization)?.[1];
  const about = () =>
    ({ face: 'mcp', requestId: request.id, address: request.ip, now: clock.now() }) as const;
  if (authType !== 'api' && bearer !== undefined && isAccessToken(bearer)) {
    const record = await authenticateConnection(bearer, request.ip);
    return record && { caller: callerOfConnection(record, about()), offered: couldGet(record) };
  }
  const secret = authType === 'api' ? authorization : bearer;
  const record = secret === undefined ? undefined : await authenticate(secret, request.ip);
  if (record === undefined) return undefined;
  const caller = callerOfKey(record, about(), new Set());
  return { caller, offered: caller.permissions };
}

/** What a connection would have to be granted for a tool, if its user could. */
export const lacks = ({ caller, offered }: ToolCaller, asked?: Permission): Permission | undefined =>
  asked !== undefined && offered.has(asked) && !caller.permissions.has(asked) ? asked : undefined;
