import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Database } from '../../database/pool.ts';
import type { ServiceParts } from '../../database/service-work.ts';
import { readToken, type TokenOf } from '../../domain/delivery/ledger/delivery-token.ts';
import { trapLink } from '../../domain/delivery/outgoing/public-urls.ts';
import type { Hit } from '../../domain/tracking/hit.ts';
import { noteHits } from '../../domain/tracking/note-hits.ts';
import type { Clock } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { goneLink, keepPrivate, notNow, sendPage, unknownLink } from './page.ts';
import { hitBatches } from './track-batch.ts';

export interface TrackParts extends ServiceParts {
  readonly database: Database;
  readonly clock: Clock;
}

type Asked = FastifyRequest<{ Params: { token: string } }>;

const method = ['GET', 'HEAD'];
const mostAgent = 300;
const retrySeconds = '30';

// One transparent pixel, 43 bytes.
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

/** The picture and the links of messages. Where a link leads is never taken from the request. */
export function serveTracking(app: FastifyInstance, parts: TrackParts): void {
  const { database, clock, keys } = parts;
  const note = hitBatches((org, hits) => {
    const now = clock.now();
    return noteHits(database, parts, { org, now, actor: 'tracking', requestId: newId(now) }, hits);
  });
  const noted = (request: Asked, { org, delivery, link }: TokenOf, kind: Hit['kind']) =>
    note(org, {
      delivery,
      kind,
      link: kind === 'click' ? link : null,
      at: clock.now(),
      agent: (request.headers['user-agent'] ?? '').slice(0, mostAgent),
      method: request.method as Hit['method'],
    });

  app.route({
    method,
    url: '/t/o/:token',
    config: { face: 'public', operation: 'track_open' },
    handler: async (request: Asked, reply) => {
      const message = readToken(keys, 'open', request.params.token);
      if (message === undefined) return sendPage(reply, 404, unknownLink);
      // The reader gets the picture even if the open could not be recorded.
      await noted(request, message, 'open').catch((error: unknown) => missed(request, error));
      return keepPrivate(reply).type('image/gif').send(pixel);
    },
  });

  app.route({
    method,
    url: '/t/c/:token',
    config: { face: 'public', operation: 'track_click' },
    handler: async (request: Asked, reply) => {
      const message = readToken(keys, 'click', request.params.token);
      if (message === undefined) return sendPage(reply, 404, unknownLink);
      const led = await noted(request, message, 'click').then(
        (url) => ({ url }),
        (error: unknown) => missed(request, error),
      );
      if (led === undefined) return sendPage(reply.header('Retry-After', retrySeconds), 503, notNow);
      if (message.link === trapLink) return sendPage(reply, 200, goneLink);
      return led.url === undefined
        ? sendPage(reply, 410, goneLink)
        : keepPrivate(reply).redirect(led.url, 302);
    },
  });
}

function missed(request: FastifyRequest, error: unknown): undefined {
  const kind = (error as { code?: string }).code ?? (error as Error).message;
  request.log.warn({ request_id: request.id, err: kind }, 'a hit was not written');
}
