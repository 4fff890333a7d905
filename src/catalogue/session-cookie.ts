import type { IncomingHttpHeaders } from 'node:http';

// A browser takes a name with this prefix only from the host itself, over TLS, for every path: neither a page of another
// host of the same domain nor somebody on the network can put one there.
export const sessionCookie = '__Host-rostrum-session';

type HasHeaders = { readonly headers: IncomingHttpHeaders };

export const sessionToken = (request: HasHeaders): string | undefined => readCookie(request, sessionCookie);

/** The value, if there is exactly one by that very name. No browser sends two. */
export function readCookie(
  { headers }: HasHeaders,
  name: string,
  form = /^[\w.-]{20,200}$/,
): string | undefined {
  const values = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 && form.test(values[0]!) ? values[0] : undefined;
}
