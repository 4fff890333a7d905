import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readCalendarToken } from '../../domain/content/calendar/calendar-file-url.ts';
import { readCalendarFile } from '../../domain/content/calendar/read-calendar-file.ts';
import { goneLink, keepPrivate, sendPage, unknownLink } from './page.ts';
import type { TrackParts } from './track.ts';

type Asked = FastifyRequest<{ Params: { file: string } }>;

/** Calendar entries of webinars, by the links in messages. */
export function serveCalendarFiles(app: FastifyInstance, parts: TrackParts): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/c/:file',
    config: { face: 'public', operation: 'calendar_file' },
    handler: async (request: Asked, reply) => {
      const [token = '', end] = request.params.file.split('.');
      const entry = end === 'ics' ? readCalendarToken(parts.keys, token) : undefined;
      if (entry === undefined) return sendPage(reply, 404, unknownLink);
      const asked = { now: parts.clock.now(), requestId: request.id };
      const file = await readCalendarFile(parts.database, parts, entry, asked);
      if (file === undefined) return sendPage(reply, 410, goneLink);
      return keepPrivate(reply)
        .header('Content-Disposition', 'attachment; filename="webinar.ics"')
        .type(file.type)
        .send(file.text);
    },
  });
}
