import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readToken } from '../../domain/delivery/delivery-token.ts';
import { unsubscribe } from '../../domain/tracking/unsubscribe.ts';
import { sendPage, unknownLink, type Page } from './page.ts';
import type { TrackParts } from './track.ts';

type Asked = FastifyRequest<{ Params: { token: string } }>;

const question: Page = {
  title: 'Unsubscribe',
  text: 'Press the button, and no more messages of this kind will be sent to you.',
  button: 'Unsubscribe',
};

const done: Page = {
  title: 'You are unsubscribed',
  text: 'No more messages of this kind will be sent to you.',
};

/**
 * Looking at the page writes nothing, because mail scanners follow every link. Posting acts: the page's own button, or
 * a mailbox provider's one click (RFC 8058), without cookies and without leading anywhere else.
 */
export function serveUnsubscribe(app: FastifyInstance, parts: TrackParts): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/u/:token',
    config: { face: 'public', operation: 'unsubscribe_page' },
    handler: async (request: Asked, reply) =>
      readToken(parts.keys, 'unsubscribe', request.params.token) === undefined
        ? sendPage(reply, 404, unknownLink)
        : sendPage(reply, 200, question),
  });
  app.route({
    method: 'POST',
    url: '/u/:token',
    config: { face: 'public', operation: 'unsubscribe' },
    handler: async (request: Asked, reply) => {
      const message = readToken(parts.keys, 'unsubscribe', request.params.token);
      if (message === undefined) return sendPage(reply, 404, unknownLink);
      const asked = { org: message.org, now: parts.clock.now(), requestId: request.id };
      await unsubscribe(parts.database, parts, asked, message.delivery);
      return sendPage(reply, 200, done);
    },
  });
}
