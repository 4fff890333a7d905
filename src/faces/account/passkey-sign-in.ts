import type { FastifyInstance } from 'fastify';
import { challengeForSignIn, signInByPasskey } from '../../domain/accounts/sign-in-by-passkey.ts';
import { enter, visitorOf, type Door } from './door.ts';
import { sendPage } from './page.ts';
import { bytesIn } from './passkey-pages.ts';
import { signInPage, tooMany } from './sign-in-pages.ts';

const wrongPasskey =
  'This passkey does not sign in here, or it took too long. Try again, or use your password.';

/** Sign in by a passkey, which any account's may be: the authenticator says whose it is. */
export function servePasskeySignIn(scope: FastifyInstance, door: Door): void {
  const { parts, clock, site, wrong } = door;

  scope.get(
    '/sign-in/passkey',
    { config: { operation: 'passkey_challenge', face: 'account' } },
    (_request, reply) =>
      reply.send({ challenge: challengeForSignIn(parts.keys, clock.now()), host: site.host }),
  );

  scope.post(
    '/sign-in/passkey',
    { config: { operation: 'sign_in_passkey', face: 'account' } },
    async (request, reply) => {
      const now = clock.now();
      const wait = wrong.waitOf(request.ip, now);
      const again = (text: string) => signInPage(door, { email: '', text });
      if (wait > 0) return tooMany(reply, wait, again);
      const shown = {
        credentialId: bytesIn(request, 'credential_id'),
        userHandle: bytesIn(request, 'user_handle'),
        clientData: bytesIn(request, 'client_data'),
        authenticatorData: bytesIn(request, 'authenticator_data'),
        signature: bytesIn(request, 'signature'),
      };
      const result = await signInByPasskey(parts, { site, shown, visitor: visitorOf(request) }, now);
      if (result.kind === 'wrong') {
        wrong.add(request.ip, now);
        return sendPage(reply, 401, again(wrongPasskey));
      }
      await enter(door, request, reply, result);
      return reply.redirect('/account', 303);
    },
  );
}
