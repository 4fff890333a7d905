import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Database } from '../../database/pool.ts';
import type { ServiceParts } from '../../database/service-work.ts';
import { asService } from '../../domain/orgs/as-service.ts';
import {
  noteApproved,
  noteJoined,
  readWebhookSecret,
} from '../../domain/webinars/platforms/hear-platform.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import { OrgId, PlatformConnectionId } from '../../kernel/ids.ts';
import { isSignedByZoom, provenToken } from './zoom-webhooks-signature.ts';

export interface ZoomWebhookParts extends ServiceParts {
  readonly database: Database;
  readonly clock: Clock;
}

const largestBody = 256 * 1024;
const text = z.string().max(500).optional().catch(undefined);

const Named = z.object({ org_id: OrgId, connection_id: PlatformConnectionId });
const EventNumber = z.union([z.string().max(100), z.int().transform(String)]);
const Told = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('endpoint.url_validation'),
    payload: z.object({ plainToken: z.string().min(1).max(500) }),
  }),
  z.object({
    event: z.literal('webinar.participant_joined'),
    payload: z.object({
      object: z.object({ id: EventNumber, participant: z.object({ registrant_id: text, email: text }) }),
    }),
  }),
  z.object({
    event: z.literal('webinar.registration_approved'),
    payload: z.object({
      object: z.object({
        id: EventNumber,
        registrant: z.object({
          id: z.string().min(1).max(200),
          join_url: z.url({ protocol: /^https?$/ }).max(4_000),
        }),
      }),
    }),
  }),
]);

/**
 * What Zoom tells of webinars while they are under way. All of it is in the participants report as well, so an event of
 * another kind, or one that cannot be read, is thanked for and left alone.
 */
export async function serveZoomWebhooks(app: FastifyInstance, parts: ZoomWebhookParts): Promise<void> {
  await app.register((scope, _options, done) => {
    // The signature is over the bytes as they came.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: largestBody }, (_request, body, read) =>
      read(null, body),
    );
    scope.post(
      '/webhooks/zoom/:org_id/:connection_id',
      { config: { operation: 'zoom_webhook', face: 'public' } },
      async (request, reply) => reply.send(await hear(parts, request)),
    );
    done();
  });
}

async function hear(parts: ZoomWebhookParts, request: FastifyRequest): Promise<object> {
  const now = parts.clock.now();
  const named = Named.safeParse(request.params);
  if (!named.success) throw unsigned();
  const { org_id: org, connection_id: connection } = named.data;
  const asked = { org, now, actor: 'zoom_webhook', requestId: request.id };
  const secret = await asService(parts.database, parts, asked, (work) => readWebhookSecret(work, connection));
  const { 'x-zm-signature': signature, 'x-zm-request-timestamp': timestamp } = request.headers;
  const body = typeof request.body === 'string' ? request.body : '';
  // A connection that nobody has is refused in the same words: there is nothing to be found out here.
  if (secret === undefined || !isSignedByZoom(secret, { signature, timestamp }, body, now)) throw unsigned();
  const told = Told.safeParse(read(body));
  if (!told.success) return { ok: true };
  if (told.data.event === 'endpoint.url_validation') return provenToken(secret, told.data.payload.plainToken);
  const { event, payload } = told.data;
  await asService(parts.database, parts, asked, (work) => {
    const about = { connection, eventId: payload.object.id };
    if (event === 'webinar.registration_approved') {
      const { id: externalId, join_url: joinUrl } = payload.object.registrant;
      return noteApproved(work, about, { externalId, joinUrl });
    }
    const { registrant_id, email } = payload.object.participant;
    return noteJoined(work, about, {
      ...(registrant_id !== undefined && registrant_id !== '' && { externalId: registrant_id }),
      ...(email !== undefined && email !== '' && { email: email.trim().toLowerCase() }),
    });
  });
  return { ok: true };
}

function read(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const unsigned = (): Failure =>
  new Failure(
    'unauthenticated',
    'This was not signed by Zoom for this connection, or longer ago than five minutes.',
  );
