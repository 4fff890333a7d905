import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isPermitted } from '../../catalogue/perform.ts';
import { isSameOrigin } from '../../catalogue/same-origin.ts';
import { sessionToken } from '../../catalogue/session-cookie.ts';
import { wrapHtml, type Layout } from '../../domain/content/body/layout.ts';
import type { AuthenticateSession } from '../../domain/members/authenticate-session.ts';
import { getEmailLayout } from '../../domain/senders/get-email-layout.ts';
import { updateEmailLayout } from '../../domain/senders/update-email-layout.ts';
import { permissionsOf } from '../../kernel/caller.ts';
import { Failure } from '../../kernel/failure.ts';

// No script, no form, no frame: a mail has none. Its styles are inline, its pictures come from anywhere over https.
const policy =
  "sandbox; default-src 'none'; img-src https: data:; style-src 'unsafe-inline'; frame-ancestors 'self'";

const sample = `<h1>A heading</h1>
<p>This is how the text of a message looks, and <a href="#">this is a link</a> in it.</p>
<p><a href="#" class="button">A button</a></p>`;

interface PreviewParts {
  readonly authenticateSession: AuthenticateSession;
  /** Of this installation's own pages, the only ones it is shown in. */
  readonly origin: string;
}

/** A layout around a sample, as the query says it before it is saved: the same page that `wrapHtml` makes for a mail. */
export function servePreviewOfLayout(app: FastifyInstance, parts: PreviewParts): void {
  app.get<{ Params: { org: string }; Querystring: Record<string, unknown> }>(
    '/preview/:org/email-layout',
    { config: { operation: 'preview_email_layout', face: 'dashboard' } },
    async (request, reply) => {
      await requireReader(request, request.params.org, parts);
      const page = wrapHtml(readLayout(request.query), {
        subject: 'Email layout',
        previewText: null,
        body: sample,
        unsubscribeUrl: '#',
      });
      return reply
        .header('Content-Security-Policy', policy)
        .header('X-Frame-Options', 'SAMEORIGIN')
        .type('text/html; charset=utf-8')
        .send(inTheme(page, request.query['theme'] === 'dark'));
    },
  );
}

/** A member who may read the layout, on a page of ours: by itself in a tab it could pass for a page of the service. */
async function requireReader(
  request: FastifyRequest,
  org: string,
  { authenticateSession, origin }: PreviewParts,
): Promise<void> {
  if (!isSameOrigin(request, origin) || request.headers['sec-fetch-dest'] !== 'iframe')
    throw new Failure('forbidden', 'A preview is shown inside the dashboard only.');
  const token = sessionToken(request);
  const found = token === undefined ? undefined : await authenticateSession(token, request.ip);
  if (found === undefined) throw new Failure('unauthenticated', 'The session has ended. Sign in again.');
  const membership = found.organizations.find(({ org_id }) => org_id === org.toLowerCase());
  if (membership === undefined) throw new Failure('not_found', 'You are in no such organization.');
  if (!isPermitted(getEmailLayout, { permissions: new Set(permissionsOf[membership.role]) }))
    throw new Failure('forbidden', 'Your role may not see the email layout.');
}

/** What could be saved; a field that could not be is left out, as long as somebody still types. */
const readLayout = (query: Readonly<Record<string, unknown>>): Layout =>
  Object.fromEntries(
    Object.entries(updateEmailLayout.input.shape).map(([field, schema]) => {
      const read = schema.safeParse(query[field] === '' ? null : query[field]);
      return [field, read.success ? read.data : null];
    }),
  ) as unknown as Layout;

/** Readers choose by what their device prefers; here somebody chose. */
const inTheme = (page: string, isDark: boolean): string =>
  page.replace('@media (prefers-color-scheme:dark)', isDark ? '@media all' : '@media not all');
