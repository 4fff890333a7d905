import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { calendarFile } from '../../../domain/content/calendar/calendar-file.ts';
import { believer } from '../../../domain/orgs/believe.ts';
import { Slug } from '../../../domain/registration-pages/choose-slug.ts';
import { readPublicPage, type PublicPage } from '../../../domain/registration-pages/public-page.ts';
import { Failure } from '../../../kernel/failure.ts';
import { newId } from '../../../kernel/ids.ts';
import { notNow, sendPage, type Page } from '../page.ts';
import { sendFramed, type Shown } from './frame.ts';
import { closedPage, registeredPage, titleOf } from './other-pages.ts';
import { readForms } from './read-form.ts';
import type { RegistrationParts } from './registration-parts.ts';
import { formPages } from './serve-form.ts';

type Asked = FastifyRequest<{ Params: { slug: string } }>;
type Act = (request: Asked, reply: FastifyReply, page: PublicPage, shown: Shown) => Promise<FastifyReply>;

const noPage: Page = {
  title: 'There is no such page',
  text: 'Part of the address may have been lost on the way. Please follow the link again, or ask whoever gave it to you.',
};
const unreadable: Page = {
  title: 'This could not be read',
  text: 'Please go back, shorten what you typed, and send it again.',
};
const busySeconds = 5;

/** The pages at which people register for webinars themselves (ADR 96). */
export async function serveRegistration(app: FastifyInstance, parts: RegistrationParts): Promise<void> {
  const { database, clock } = parts;
  const findPage = believer<PublicPage>('pages', parts, (slug) => {
    const now = clock.now();
    return readPublicPage(database, parts, slug.toString(), { now, requestId: newId(now) });
  });
  const { showForm, takeForm } = formPages(parts);

  await app.register((scope, _options, done) => {
    readForms(scope);
    answerInPages(scope);
    const serve = (method: 'look' | 'POST', path: string, operation: string, shown: Shown, act: Act): void =>
      void scope.route({
        method: method === 'look' ? ['GET', 'HEAD'] : method,
        url: `/w/:slug${path}`,
        config: { face: 'public', operation },
        handler: async (request: Asked, reply): Promise<FastifyReply> => {
          const { slug } = request.params;
          const page = Slug.safeParse(slug).success
            ? await findPage(Buffer.from(slug), request.ip)
            : undefined;
          if (page === undefined) return sendPage(reply, 404, noPage);
          return act(request, reply, page, shown);
        },
      });
    for (const shown of ['page', 'embed'] as const) {
      const path = shown === 'embed' ? '/embed' : '';
      serve('look', path, 'registration_page', shown, whileOpen(200, showForm));
      serve('POST', path, 'register_by_page', shown, whileOpen(409, takeForm));
      serve('look', `${path}/registered`, 'registration_page', shown, whileOpen(200, sayRegistered));
    }
    serve('look', '/webinar.ics', 'registration_page_calendar', 'page', sendCalendar);
    done();
  });
}

/** Closed pages say so whatever is asked of them; one that was taken down is gone. */
const whileOpen =
  (statusWhenClosed: number, act: Act): Act =>
  async (request, reply, page, shown) => {
    const { state } = page;
    if (state === 'open') return act(request, reply, page, shown);
    const status = state === 'unpublished' ? 410 : statusWhenClosed;
    return sendFramed(reply, status, page, shown, titleOf(page), closedPage({ ...page, state }));
  };

const sayRegistered: Act = async (_request, reply, page, shown) =>
  sendFramed(reply, 200, page, shown, 'Registered', registeredPage(page));

/** Of a canceled webinar too: a calendar that has the entry takes it out. */
const sendCalendar: Act = async (request, reply, page, shown) => {
  if (page.state === 'unpublished' || page.state === 'draft')
    return whileOpen(200, sayRegistered)(request, reply, page, shown);
  const { text, type } = calendarFile(page.event);
  return reply.header('Content-Disposition', 'attachment; filename="webinar.ics"').type(type).send(text);
};

function answerInPages(scope: FastifyInstance): void {
  scope.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof Failure) {
      const wait = String(error.extras.retryAfterSeconds ?? busySeconds);
      return sendPage(reply.header('Retry-After', wait), error.kind === 'rate_limited' ? 429 : 503, notNow);
    }
    const { statusCode = 503 } = error;
    if (statusCode < 500) return sendPage(reply, statusCode, unreadable);
    request.log.error({ request_id: request.id, err: error.code ?? error.name }, 'a page failed');
    return sendPage(reply.header('Retry-After', String(busySeconds)), 503, notNow);
  });
}
