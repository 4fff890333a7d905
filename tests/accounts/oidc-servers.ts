import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** Somebody whom the provider knows. */
export interface Known {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
}

export const client = { id: 'rostrum', secret: 'a secret that both sides know, and nobody else' };

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const closing = (server: Server) => async (): Promise<void> => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
};

/** A real provider, which signs in whoever `who` is without asking. */
export async function startProvider(redirect: string) {
  let handle: RequestListener = () => undefined;
  const server = createServer((request, response) => handle(request, response));
  const issuer = await listen(server);
  const there = { issuer, who: { sub: 'nobody' } as Known, close: closing(server) };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [redirect],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...there.who, sub }) }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        accountId: oidc.session!.accountId!,
        clientId: oidc.client!.clientId,
      });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  const inside = provider.callback();
  handle = (request, response) => {
    if (request.url!.startsWith('/interaction/'))
      void provider.interactionFinished(request, response, { login: { accountId: there.who.sub } });
    else void inside(request, response);
  };
  return there;
}

export type RealProvider = Awaited<ReturnType<typeof startProvider>>;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export const newKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

/** A provider that says what it is told, signed by whichever key. */
export async function startCrook() {
  const ownKey = newKey();
  const server = createServer((request, response) => {
    void answer(request).then((body) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
    );
  });
  const issuer = await listen(server);
  const crook = {
    issuer,
    claims: {} as Record<string, unknown>,
    key: ownKey,
    header: { alg: 'RS256', kid: 'one' } as Record<string, unknown>,
    close: closing(server),
  };
  const answer = async ({ url }: IncomingMessage): Promise<unknown> => {
    if (url === '/.well-known/openid-configuration')
      return {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
      };
    if (url === '/jwks')
      return {
        keys: [{ ...publicJwk(ownKey), kid: 'one', alg: 'RS256', use: 'sig' }],
      };
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: client.id, sub: 'crook', iat: now, exp: now + 60, ...crook.claims };
    const signed = `${encode(crook.header)}.${encode(claims)}`;
    const signature =
      crook.header['alg'] === 'none'
        ? ''
        : sign('sha256', Buffer.from(signed), crook.key).toString('base64url');
    return { access_token: 'x', token_type: 'bearer', id_token: `${signed}.${signature}` };
  };
  return crook;
}

const publicJwk = (key: KeyObject) => {
  const { kty, n, e } = key.export({ format: 'jwk' });
  return { kty, n, e };
};
