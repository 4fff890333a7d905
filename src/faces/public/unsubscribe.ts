import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { noDelivery, readToken, type TokenOf } from '../../domain/delivery/ledger/delivery-token.ts';
import { readSubscription } from '../../domain/tracking/read-subscription.ts';
import { resubscribe, unsubscribe } from '../../domain/tracking/unsubscribe.ts';
import { sendPage, unknownLink } from './page.ts';
import { ofTest, subscriptionPage, tooOld, type Where } from './subscription-page.ts';
import type { TrackParts } from './track.ts';

type Asked = FastifyRequest<{ Params: { token: string } }>;

/**
 * Opening the page writes nothing, because mail scanners follow every link. Posting acts: the page's own button, or a
 * mailbox provider's one click (RFC 8058), without cookies and without leading anywhere else. Resubscribing has an
 * address of its own, so that any post to the page unsubscribes.
 */
export function serveUnsubscribe(app: FastifyInstance, parts: TrackParts): void {
  const { database, keys, clock } = parts;
  const serve = (
    operation: string,
    method: 'look' | 'POST',
    at: Where['at'],
    act: (request: Asked, message: TokenOf) => Promise<unknown>,
  ): void =>
    void app.route({
      method: method === 'look' ? ['GET', 'HEAD'] : method,
      url: at === 'page' ? '/u/:token' : '/u/:token/back',
      config: { face: 'public', operation },
      handler: async (request: Asked, reply): Promise<FastifyReply> => {
        const { token } = request.params;
        const message = readToken(keys, 'unsubscribe', token);
        if (message === undefined) return sendPage(reply, 404, unknownLink);
        if (message.delivery === noDelivery) return sendPage(reply, 200, ofTest);
        await act(request, message);
        const subscription = await readSubscription(database, message.org, message.delivery);
        if (subscription === 'forgotten') return sendPage(reply, 410, tooOld);
        const returned = method === 'POST' && at === 'back';
        return sendPage(reply, 200, subscriptionPage(subscription, { token, at }, returned));
      },
    });
  const asked = (request: Asked, { org }: TokenOf, actor: string) => ({
    org,
    now: clock.now(),
    actor,
    requestId: request.id,
  });

  serve('unsubscribe_page', 'look', 'page', async () => {});
  serve('unsubscribe', 'POST', 'page', (request, message) =>
    unsubscribe(database, parts, asked(request, message, 'unsubscribe'), {
      delivery: message.delivery,
      itself: true,
    }),
  );
  serve('resubscribe_page', 'look', 'back', async () => {});
  serve('resubscribe', 'POST', 'back', (request, message) =>
    resubscribe(database, parts, asked(request, message, 'resubscribe'), message.delivery),
  );
}
