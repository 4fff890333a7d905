import type { FastifyError, FastifyInstance } from 'fastify';
import { isSameOrigin } from '../../catalogue/same-origin.ts';
import { accountTransaction } from '../../database/org-transaction.ts';
import type { Database } from '../../database/pool.ts';
import type { Keyring } from '../../database/work.ts';
import { passwords } from '../../domain/accounts/passwords.ts';
import { failedAttempts } from '../../domain/orgs/failed-attempts.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import { fewAtOnce } from '../../kernel/few-at-once.ts';
import { isHostile } from '../../kernel/hostile-text.ts';
import { serveAuthorize, type ConnectParts } from './authorize-pages.ts';
import type { Door } from './door.ts';
import { serveInvitations } from './invitation-pages.ts';
import { serveLinks } from './link-pages.ts';
import { serveOwnAccount } from './own-account.ts';
import { servePageFiles } from './page-files.ts';
import { say, sendPage } from './page.ts';
import { servePasskeys } from './passkey-pages.ts';
import { servePasskeySignIn } from './passkey-sign-in.ts';
import { serveProviderLink } from './provider-link.ts';
import { serveProviderSignIn } from './provider-sign-in.ts';
import { serveSessionCalls } from './session-calls.ts';
import { serveSetup } from './setup-pages.ts';
import { serveSignIn } from './sign-in-pages.ts';
import { serveTwoSteps } from './two-step-pages.ts';

export interface AccountFaceParts extends Pick<Door, 'clock' | 'publicUrl' | 'signUp' | 'provider' | 'send'> {
  readonly database: Database;
  readonly keys: Keyring;
  readonly clock: Clock;
  readonly connect: ConnectParts;
  /** How many connections strangers may hold of those that organizations use. */
  readonly atOnce: number;
  /** Mail that could not be sent. */
  readonly onTrouble: (error: unknown) => void;
}

const largestForm = 16 * 1024;
/** For a network, in a minute and at each process; each account is counted by itself as well. */
const wrongPerMinute = 30;
const mailsPerMinute = 10;
const mailsAtOnce = 4;
const busySeconds = 5;

const busy = (): Failure =>
  new Failure('rate_limited', 'Many are signing in now. Try again in a few seconds.', {
    retryAfterSeconds: busySeconds,
  });

/** Serves the pages for signing in, the user's own account, and what a page's script may ask about its session. */
export async function serveAccount(app: FastifyInstance, given: AccountFaceParts): Promise<void> {
  const { database, keys, publicUrl, onTrouble, atOnce } = given;
  const under = new Set<Promise<void>>();
  const inTurn = fewAtOnce(mailsAtOnce, busy);
  const fewTransactions = fewAtOnce(atOnce, busy);
  const door: Door = {
    ...given,
    parts: {
      transact: (access, work) => fewTransactions(() => accountTransaction(database, access, work)),
      keys,
      passwords: passwords(busy),
    },
    site: { origin: new URL(publicUrl).origin, host: new URL(publicUrl).hostname },
    wrong: failedAttempts(wrongPerMinute),
    asked: failedAttempts(mailsPerMinute),
    later(work) {
      const running = inTurn(work)
        .catch(onTrouble)
        .finally(() => under.delete(running));
      under.add(running);
    },
  };
  app.addHook('onClose', async () => {
    await Promise.all(under);
  });
  await app.register((scope, _options, done) => {
    serveSessionCalls(scope, door);
    done();
  });
  await app.register((scope, _options, done) => {
    readForms(scope);
    answerInPages(scope);
    scope.addHook('onRequest', async (request, reply) => {
      if (request.method === 'POST' && !isSameOrigin(request, door.site.origin)) {
        await sendPage(reply, 403, foreign);
        return reply;
      }
      return undefined;
    });
    serveSignIn(scope, door);
    serveLinks(scope, door);
    serveInvitations(scope, door);
    serveOwnAccount(scope, door);
    servePasskeySignIn(scope, door);
    serveSetup(scope, door);
    serveTwoSteps(scope, door);
    servePasskeys(scope, door);
    if (door.provider !== undefined) {
      serveProviderSignIn(scope, door, door.provider);
      serveProviderLink(scope, door, door.provider);
    }
    serveAuthorize(scope, door, given.connect);
    servePageFiles(scope);
    done();
  });
}

const foreign = say(
  'This form came from another page',
  'Nothing was done. Open the page here and send it again. It takes a browser that is not many years old.',
  { to: '/sign-in', label: 'Sign in' },
);

function readForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: largestForm },
    (_request, body, done) => {
      const fields = Object.fromEntries(new URLSearchParams(body as string));
      const isText = !Object.entries(fields).flat().some(isHostile);
      done(null, isText ? fields : {});
    },
  );
}

function answerInPages(scope: FastifyInstance): void {
  scope.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof Failure) {
      const wait = String(error.extras.retryAfterSeconds ?? busySeconds);
      return sendPage(reply.header('Retry-After', wait), 503, say('Not now', error.message));
    }
    const { statusCode = 500 } = error;
    if (statusCode < 500)
      return sendPage(reply, statusCode, say('This could not be read', 'Open the page again.'));
    request.log.error({ request_id: request.id, err: error.code ?? error.name }, 'a page failed');
    return sendPage(reply, 500, say('Something failed', 'Nothing was done. Try again in a minute.'));
  });
}
