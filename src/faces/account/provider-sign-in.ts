import type { FastifyInstance, FastifyRequest } from 'fastify';
import { signInByIdentity } from '../../domain/accounts/sign-in-by-identity.ts';
import { isSameText } from '../../kernel/same-text.ts';
import { clearFlow, flowToken } from './cookies.ts';
import { enter, sessionOf, visitorOf, type Door } from './door.ts';
import { sendPage } from './page.ts';
import { beginFlow, secretsOf, type FlowPurpose } from './provider-flow.ts';
import { linkProvider } from './provider-link.ts';
import { failedPage, notLetInPage } from './provider-pages.ts';
import type { IdentityProvider } from './provider.ts';
import { tooMany } from './sign-in-pages.ts';

/** Sign in by the operator's identity provider. */
export function serveProviderSignIn(scope: FastifyInstance, door: Door, provider: IdentityProvider): void {
  const { parts, clock, wrong, signUp } = door;
  const { name } = provider;

  scope.get(
    '/sign-in/with',
    { config: { operation: 'provider_begin', face: 'account' } },
    async (request, reply) => {
      // A page of somebody else must not sign its readers in.
      if (request.headers['sec-fetch-site'] !== 'same-origin') return reply.redirect('/sign-in', 303);
      const url = await beginFlow(door, provider, reply, 'sign_in');
      return url === undefined ? sendPage(reply, 502, failedPage(name)) : reply.redirect(url, 303);
    },
  );

  scope.get(
    '/sign-in/with/callback',
    { config: { operation: 'provider_callback', face: 'account' } },
    async (request, reply) => {
      const now = clock.now();
      const wait = wrong.waitOf(request.ip, now);
      if (wait > 0) return tooMany(reply, wait, () => failedPage(name));
      const session = await sessionOf(door, request);
      const begun = flowOf(door, request, session?.id);
      const query = request.url.slice(request.url.indexOf('?'));
      const vouched = begun && (await provider.finish(query, begun.secrets));
      clearFlow(reply);
      if (vouched === undefined) {
        wrong.add(request.ip, now);
        return sendPage(reply, 401, failedPage(name));
      }
      if (begun?.purpose !== 'sign_in')
        return linkProvider(door, { provider, session: session!, vouched }, request, reply);
      const result = await signInByIdentity(parts, { vouched, signUp, visitor: visitorOf(request) }, now);
      if (result.kind !== 'opened') return sendPage(reply, 403, notLetInPage(name, result));
      await enter(door, request, reply, result);
      return reply.redirect(result.session.awaitsCode ? '/sign-in/code' : '/account', 303);
    },
  );
}

/** What this browser went to the provider for, if it comes back with the state it was given. */
function flowOf({ parts, clock }: Door, request: FastifyRequest, sessionId: string | undefined) {
  const { state } = request.query as Record<string, unknown>;
  const purposes: FlowPurpose[] = [
    'sign_in',
    ...(sessionId === undefined ? [] : [`link ${sessionId}` as const]),
  ];
  for (const purpose of purposes) {
    const secrets = secretsOf(parts.keys, flowToken(request), purpose, clock.now());
    if (secrets !== undefined && typeof state === 'string' && isSameText(state, secrets.state))
      return { purpose, secrets };
  }
  return undefined;
}
