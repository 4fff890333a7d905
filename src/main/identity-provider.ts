import type { Configuration } from 'openid-client';
import type { FlowSecrets, IdentityProvider } from '../faces/account/provider.ts';
import { fewAtOnce } from '../kernel/few-at-once.ts';
import { ConfigError, type Config } from './config.ts';
import { mailSettings } from './mail-settings.ts';

const patienceSeconds = 5;
const largestAnswer = 256 * 1024;
const askedAtOnce = 8;
const knownForMs = 3_600_000;

/**
 * The identity provider of the settings, by OpenID Connect: code flow with PKCE, and the id token's signature checked by
 * the provider's keys. The client is loaded when somebody comes: most installations have no provider.
 */
export function identityProvider(
  config: Config,
  onTrouble: (error: unknown) => void,
): IdentityProvider | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: secret } = config;
  if (issuer === undefined) return undefined;
  if (clientId === undefined) throw new ConfigError('OIDC_ISSUER is set, so OIDC_CLIENT_ID must be too.');
  const redirect = `${mailSettings(config).publicUrl}/sign-in/with/callback`;
  const inTurn = fewAtOnce(askedAtOnce, () => new Error('too many ask the identity provider'));
  let known: { readonly client: Promise<Configuration>; readonly until: number } | undefined;

  const discover = (): Promise<Configuration> => {
    if (known !== undefined && known.until > performance.now()) return known.client;
    const client = discoverProvider(new URL(issuer), clientId, secret);
    known = { client, until: performance.now() + knownForMs };
    client.catch(() => (known = undefined));
    return client;
  };
  const orTrouble = <T>(act: () => Promise<T>): Promise<T | undefined> =>
    inTurn(act).catch((error: unknown) => {
      onTrouble(error);
      return undefined;
    });

  return {
    name: config.OIDC_NAME,
    issuer,
    begin: (secrets) =>
      orTrouble(async () => {
        const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client');
        return buildAuthorizationUrl(await discover(), {
          redirect_uri: redirect,
          scope: 'openid email',
          state: secrets.state,
          nonce: secrets.nonce,
          code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
          code_challenge_method: 'S256',
        }).href;
      }),
    finish: (query, secrets) => orTrouble(async () => exchange(await discover(), redirect + query, secrets)),
  };
}

async function exchange(client: Configuration, url: string, { state, nonce, verifier }: FlowSecrets) {
  const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client');
  const tokens = await authorizationCodeGrant(client, new URL(url), {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const { iss: issuer, sub: subject, ...claims } = tokens.claims()!;
  // Some say the address in the token, others only when they are asked.
  const { email, email_verified } =
    'email' in claims || client.serverMetadata().userinfo_endpoint === undefined
      ? claims
      : await fetchUserInfo(client, tokens.access_token, subject);
  return {
    issuer,
    subject,
    email: typeof email === 'string' ? email : undefined,
    emailVerified: email_verified === true,
  };
}

async function discoverProvider(issuer: URL, clientId: string, secret: string | undefined) {
  const { allowInsecureRequests, customFetch, discovery, enableNonRepudiationChecks, None } =
    await import('openid-client');
  return discovery(issuer, clientId, secret, secret === undefined ? None() : undefined, {
    timeout: patienceSeconds,
    [customFetch]: (url: string, init: RequestInit) => fetchGuarded(issuer, url, init),
    execute: [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])],
  });
}

/** Over TLS, without redirects, and not much; an issuer on this machine may do without TLS, for itself alone. */
async function fetchGuarded(issuer: URL, url: string, init: RequestInit): Promise<Response> {
  const { protocol, origin } = new URL(url);
  if (protocol !== 'https:' && origin !== issuer.origin)
    throw new Error('the identity provider is asked over TLS');
  const response = await fetch(url, { ...init, redirect: 'manual' });
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > largestAnswer) throw new Error('the identity provider answered too much');
    parts.push(part);
  }
  const body = parts.length === 0 ? null : Buffer.concat(parts);
  return new Response(body, { status: response.status, headers: response.headers });
}
