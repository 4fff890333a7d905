import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie } from '../../catalogue/session-cookie.ts';
import { setCookie } from './cookies.ts';

const name = '__Host-rostrum-next';
const seconds = 600;
const longest = 2_600;
export const authorizePath = '/oauth/authorize';

/** Remembers in the browser what it came for, until its user is signed in. Nothing, if that is too long to keep. */
export function rememberNext(reply: FastifyReply, url: string): FastifyReply | undefined {
  if (url.length > longest) return undefined;
  return setCookie(reply, name, Buffer.from(url).toString('base64url'), seconds);
}

/** An address inside the dashboard. No dots, escapes or backslashes in its path: nothing that a browser would rewrite. */
const ofDashboard = /^\/o\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\/[\w-]+)*\/?(\?[\x21-\x7e]*)?$/;
const ofConnection = /^\/oauth\/authorize\?[\x21-\x7e]*$/;

/** The page of the dashboard that a query asks to come back to, if it is one. */
export function askedNext(request: FastifyRequest): string | undefined {
  const { next } = request.query as Record<string, unknown>;
  return typeof next === 'string' && next.length <= longest && ofDashboard.test(next) ? next : undefined;
}

/** Where the browser was going before it had to sign in: a page of the dashboard or one that asks for a connection, and nowhere else. */
export function takeNext(request: FastifyRequest, reply: FastifyReply): string | undefined {
  const kept = readCookie(request, name, /^[\w-]{20,4000}$/);
  if (kept === undefined) return undefined;
  forgetNext(reply);
  const url = Buffer.from(kept, 'base64url').toString('latin1');
  return ofDashboard.test(url) || ofConnection.test(url) ? url : undefined;
}

export const forgetNext = (reply: FastifyReply): FastifyReply => setCookie(reply, name, '', 0);
