import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Database } from '../../database/pool.ts';
import type { ServiceParts } from '../../database/service-work.ts';
import { asService } from '../../domain/orgs/as-service.ts';
import { noteHeard, readAccount } from '../../domain/webinars/platforms/hear-platform.ts';
import type { PlatformWebhook } from '../../domain/webinars/platforms/platform.ts';
import { everyPlatform, type PlatformName } from '../../domain/webinars/platforms/registry.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import { fewAtOnce, type FewAtOnce } from '../../kernel/few-at-once.ts';
import { OrgId, PlatformConnectionId } from '../../kernel/ids.ts';
import type { OnShed } from '../../kernel/shed.ts';

export interface PlatformWebhookParts extends ServiceParts {
  readonly database: Database;
  readonly clock: Clock;
  /** How many connections reports may hold whose signature is not checked yet. */
  readonly uncheckedAtOnce: number;
  readonly onShed: OnShed;
}

const largestBody = 256 * 1024;
const retrySeconds = 30;

const Named = z.object({ org_id: OrgId, connection_id: PlatformConnectionId });

/** Receives webhooks of webinar platforms, at an address for each connection. */
export async function servePlatformWebhooks(
  app: FastifyInstance,
  parts: PlatformWebhookParts,
): Promise<void> {
  // The secret of a signature is the connection's, so whoever makes up a report costs a look at the database.
  const inTurn = fewAtOnce(parts.uncheckedAtOnce, () => {
    parts.onShed('platform_webhooks_at_once');
    return new Failure('unavailable', 'Too many reports came at once. Send this one again later.', {
      retryAfterSeconds: retrySeconds,
    });
  });
  await app.register((scope, _options, done) => {
    // A signature is over the bytes as they came.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: largestBody }, (_request, body, read) =>
      read(null, body),
    );
    for (const [name, { label, webhook }] of everyPlatform) {
      if (webhook === 'none') continue;
      scope.post(
        `/webhooks/${name}/:org_id/:connection_id`,
        { config: { operation: `${name}_webhook`, face: 'public' } },
        async (request, reply) => reply.send(await hear(parts, request, { name, label, webhook, inTurn })),
      );
    }
    done();
  });
}

interface Listened {
  readonly name: PlatformName;
  readonly label: string;
  readonly webhook: PlatformWebhook;
  readonly inTurn: FewAtOnce;
}

async function hear(
  parts: PlatformWebhookParts,
  request: FastifyRequest,
  { name, label, webhook, inTurn }: Listened,
): Promise<object> {
  const now = parts.clock.now();
  const named = Named.safeParse(request.params);
  if (!named.success) throw unsigned(label);
  const { org_id: org, connection_id: connection } = named.data;
  const asked = { org, now, actor: `${name}_webhook`, requestId: request.id };
  const account = await inTurn(() =>
    asService(parts.database, parts, asked, (work) => readAccount(work, name, connection)),
  );
  const body = typeof request.body === 'string' ? request.body : '';
  // An unknown connection is refused in the same words as a bad signature, so that callers cannot probe for ids.
  if (
    account === undefined ||
    !webhook.isSigned({ headers: request.headers, body }, account.credentials, now)
  )
    throw unsigned(label);
  const heard = webhook.read(body, account.credentials);
  if (heard.what === 'question') return heard.answer;
  if (heard.what !== 'nothing')
    await asService(parts.database, parts, asked, (work) => noteHeard(work, connection, heard));
  return { ok: true };
}

const unsigned = (label: string): Failure =>
  new Failure(
    'unauthenticated',
    `This was not signed by ${label} for this connection, or longer ago than five minutes.`,
  );
