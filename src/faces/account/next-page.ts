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

/** Where the browser was going before it had to sign in: a page of ours that asks for a connection, and nowhere else. */
export function takeNext(request: FastifyRequest, reply: FastifyReply): string | undefined {
  const kept = readCookie(request, name, /^[\w-]{20,4000}$/);
  if (kept === undefined) return undefined;
  forgetNext(reply);
  const url = Buffer.from(kept, 'base64url').toString('latin1');
  return url.startsWith(`${authorizePath}?`) && /^[\x21-\x7e]+$/.test(url) ? url : undefined;
}

export const forgetNext = (reply: FastifyReply): FastifyReply => setCookie(reply, name, '', 0);
