import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServiceParts } from '../../database/service-work.ts';
import { readToken } from '../../domain/delivery/ledger/delivery-token.ts';
import { defaultRoute } from '../../domain/delivery/ledger/route.ts';
import { noteInboundText } from '../../domain/delivery/inbound/note-inbound-text.ts';
import { noteReceipt } from '../../domain/delivery/inbound/note-receipt.ts';
import type { TextWayBack, TextWebhookRoute } from '../../domain/delivery/outgoing/text-provider.ts';
import type { RouteSettings } from '../../domain/delivery/providers/routes.ts';
import {
  textProviderOf,
  textProviders,
  type TextProviderName,
} from '../../domain/delivery/providers/text-providers.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import { notConfigured, routeReader, type ReadSettings, type RouteReading } from './route-reader.ts';

export interface TextWebhookParts extends ServiceParts, Omit<RouteReading, 'keys'> {
  readonly clock: Clock;
  /** The provider of texts by default, if there is one. */
  readonly texts: { readonly through: string; readonly settings: RouteSettings } | undefined;
}

const largestBody = 64 * 1024;

type Webhook = Extract<TextWayBack, { by: 'webhook' }>;

/** Receives webhooks of every provider of texts that calls us, about the default or the route that its address names. */
export async function serveTextWebhooks(app: FastifyInstance, parts: TextWebhookParts): Promise<void> {
  const read = routeReader(parts, 'text_webhooks_at_once');
  for (const name of Object.keys(textProviders) as TextProviderName[]) {
    const { hears } = textProviderOf(name);
    if (hears.by === 'webhook') await serveOne(app, parts, { name, hears, read });
  }
}

interface Served {
  readonly name: TextProviderName;
  readonly hears: Webhook;
  readonly read: ReadSettings;
}

async function serveOne(app: FastifyInstance, parts: TextWebhookParts, served: Served): Promise<void> {
  const { hears } = served;
  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      hears.takes,
      { parseAs: 'string', bodyLimit: largestBody },
      (_request, body, read) => read(null, body),
    );
    for (const webhook of hears.routes) {
      const { path, operation, answer } = webhook;
      scope.post(path, { config: { face: 'public', operation } }, async (request, reply) => {
        const { route = defaultRoute } = request.query as { route?: string };
        const body = typeof request.body === 'string' ? request.body : '';
        const settings = await settingsOf(parts, served, String(route));
        const signed = { headers: request.headers, url: parts.mail.publicUrl + request.url, body };
        // A route that is not there is refused in the same words, so that callers cannot probe for names.
        if (settings === undefined || !hears.isSigned(signed, settings))
          throw new Failure('forbidden', hears.unsigned);
        await note(parts, webhook, request, { body, route: String(route) });
        if (answer.type !== undefined) reply.type(answer.type);
        return reply.code(answer.status).send(answer.body);
      });
    }
    done();
  });
}

async function settingsOf(
  { texts }: TextWebhookParts,
  { name: kind, read }: Served,
  name: string,
): Promise<RouteSettings | undefined> {
  if (name === defaultRoute) {
    if (texts?.through === kind) return texts.settings;
    throw notConfigured();
  }
  return read(kind, name);
}

async function note(
  parts: TextWebhookParts,
  webhook: TextWebhookRoute,
  request: FastifyRequest,
  { body, route }: { readonly body: string; readonly route: string },
): Promise<void> {
  const { database, clock, keys } = parts;
  const heard = { now: clock.now(), requestId: request.id, route };
  if (webhook.about === 'text') return noteInboundText(database, parts, webhook.read(body), heard);
  const { token = '' } = request.params as { token?: string };
  const message = readToken(keys, 'receipt', token);
  if (message === undefined) throw new Failure('not_found', 'This is the token of no text.');
  const news = webhook.read(body);
  if (news !== undefined) await noteReceipt(database, parts, message, news, heard);
}
