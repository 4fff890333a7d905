import type { FastifyReply, FastifyRequest } from 'fastify';

// A browser takes a name with this prefix only from the host itself, over TLS, for every path: neither a page of another
// host of the same domain nor somebody on the network can put one there.
const sessionName = '__Host-rostrum-session';
const deviceName = '__Host-rostrum-device';
const deviceSeconds = 365 * 86_400;

export const sessionToken = (request: FastifyRequest): string | undefined => readCookie(request, sessionName);

/** What an earlier sign-in left in this browser. */
export const deviceToken = (request: FastifyRequest): string | undefined => readCookie(request, deviceName);

export const setSession = (reply: FastifyReply, token: string, seconds: number): FastifyReply =>
  setCookie(reply, sessionName, token, seconds);

export const clearSession = (reply: FastifyReply): FastifyReply => setCookie(reply, sessionName, '', 0);

export const setDevice = (reply: FastifyReply, device: string): FastifyReply =>
  setCookie(reply, deviceName, device, deviceSeconds);

const setCookie = (reply: FastifyReply, name: string, value: string, seconds: number): FastifyReply =>
  reply.header(
    'Set-Cookie',
    `${name}=${value}; Path=/; Max-Age=${Math.max(0, Math.floor(seconds))}; Secure; HttpOnly; SameSite=Lax`,
  );

/** The value, if there is exactly one by that very name. No browser sends two. */
function readCookie(request: FastifyRequest, name: string): string | undefined {
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 && /^[\w.-]{20,200}$/.test(values[0]!) ? values[0] : undefined;
}
