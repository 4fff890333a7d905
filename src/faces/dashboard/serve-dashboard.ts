import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sessionToken } from '../../catalogue/session-cookie.ts';
import type { AuthenticateSession } from '../../domain/members/authenticate-session.ts';
import { readBuilt, readPages, type BuiltFile } from './built-files.ts';

// Scripts and styles are files of ours; pictures of messages may come from anywhere over https.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "img-src 'self' https: data: blob:",
  "frame-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ');

/** Of an address that names no more than a section. */
function sectionOf(url: string): string | undefined {
  const path = /^\/o\/[^/?]+(?:\/([a-z]*))?(?:\?|$)/.exec(url);
  return path === null ? undefined : (path[1] ?? '') || 'home';
}

/** Serves the dashboard from the folder it was built into. It holds no data: what it shows, its calls are let in to see. */
export function serveDashboard(
  app: FastifyInstance,
  folder: string,
  authenticateSession: AuthenticateSession,
): void {
  const files = readBuilt(folder);
  if (files === undefined) return;
  const pageOf = readPages(folder, files.get('/index.html')!);
  const sendFile = (request: FastifyRequest, reply: FastifyReply, file: BuiltFile): FastifyReply => {
    const isCompressed = file.brotli !== undefined && /\bbr\b/.test(request.headers['accept-encoding'] ?? '');
    if (isCompressed) reply.header('Content-Encoding', 'br');
    return reply
      .header('Vary', 'Accept-Encoding')
      .header('Cross-Origin-Resource-Policy', 'same-origin')
      .type(file.type)
      .send(isCompressed ? file.brotli : file.plain());
  };
  const sendPage = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendFile(
      request,
      reply
        .header('Content-Security-Policy', policy)
        .header('Cross-Origin-Opener-Policy', 'same-origin')
        .header('X-Robots-Tag', 'noindex, nofollow'),
      pageOf(sectionOf(request.url)),
    );
  app.get('/o', { config: { operation: 'dashboard', face: 'dashboard' } }, async (request, reply) => {
    const token = sessionToken(request);
    const found = token === undefined ? undefined : await authenticateSession(token, request.ip);
    const first = found?.organizations[0]?.org_id;
    return reply.redirect(
      found === undefined ? '/sign-in' : first === undefined ? '/account' : `/o/${first}`,
      303,
    );
  });
  app.get('/o/*', { config: { operation: 'dashboard', face: 'dashboard' } }, sendPage);
  for (const [path, file] of files) {
    if (path === '/index.html') continue;
    // A file's name has its hash, so it never changes.
    const kept = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600';
    app.get(path, { config: { operation: 'dashboard', face: 'dashboard' } }, (request, reply) =>
      sendFile(request, reply.header('Cache-Control', kept), file),
    );
  }
}
