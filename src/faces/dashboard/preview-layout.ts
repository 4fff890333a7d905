import type { FastifyInstance } from 'fastify';
import { isPermitted } from '../../catalogue/perform.ts';
import { wrapHtml, type Layout } from '../../domain/content/body/layout.ts';
import { getEmailLayout } from '../../domain/senders/get-email-layout.ts';
import { updateEmailLayout } from '../../domain/senders/update-email-layout.ts';
import { permissionsOf } from '../../kernel/caller.ts';
import { Failure } from '../../kernel/failure.ts';
import { memberAtFrame, sendFramed, type FrameParts } from './framed-page.ts';

const sample = `<h1>A heading</h1>
<p>This is how the text of a message looks, and <a href="#">this is a link</a> in it.</p>
<p><a href="#" class="button">A button</a></p>`;

/** A layout around a sample, as the query says it before it is saved: the same page that `wrapHtml` makes for a mail. */
export function servePreviewOfLayout(app: FastifyInstance, parts: FrameParts): void {
  app.get<{ Params: { org: string }; Querystring: Record<string, unknown> }>(
    '/preview/:org/email-layout',
    { config: { operation: 'preview_email_layout', face: 'dashboard' } },
    async (request, reply) => {
      const { membership } = await memberAtFrame(request, request.params.org, parts);
      if (!isPermitted(getEmailLayout, { permissions: new Set(permissionsOf[membership.role]) }))
        throw new Failure('forbidden', 'Your role may not see the email layout.');
      const page = wrapHtml(readLayout(request.query), {
        subject: 'Email layout',
        previewText: null,
        body: sample,
        unsubscribeUrl: '#',
      });
      return sendFramed(reply, inTheme(page, request.query['theme'] === 'dark'));
    },
  );
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
