import type { IncomingHttpHeaders } from 'node:http';
import { Failure } from '../kernel/failure.ts';

interface HttpRequest {
  readonly headers: IncomingHttpHeaders;
  readonly method: string;
}

/**
 * Whether a page of this very origin made the request, by what the browser itself says. A form of another site, and one
 * of another host of the same domain, carries the cookie but not these.
 */
export function isSameOrigin({ headers, method }: HttpRequest, origin: string): boolean {
  if (headers['sec-fetch-site'] !== 'same-origin') return false;
  // Browsers leave it out where a page reads from its own origin.
  if (headers.origin === undefined) return method === 'GET';
  return headers.origin === origin;
}

/** For calls by a page's script: no form and no foreign page can add the header. */
export function requireSessionCall(request: HttpRequest, origin: string): void {
  if (request.headers['auth-type'] !== 'session')
    throw new Failure('unauthenticated', 'Send the header Auth-Type: session.');
  if (!isSameOrigin(request, origin))
    throw new Failure('forbidden', 'Only a page of this installation may call by a session.');
}
