import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, sessionCookie } from '../../catalogue/session-cookie.ts';

const deviceName = '__Host-rostrum-device';
const deviceSeconds = 365 * 86_400;
const flowName = '__Host-rostrum-provider';
const flowSeconds = 600;

/** What an earlier sign-in left in this browser. */
export const deviceToken = (request: FastifyRequest): string | undefined => readCookie(request, deviceName);

export const setSession = (reply: FastifyReply, token: string, seconds: number): FastifyReply =>
  setCookie(reply, sessionCookie, token, seconds);

export const clearSession = (reply: FastifyReply): FastifyReply => setCookie(reply, sessionCookie, '', 0);

export const setDevice = (reply: FastifyReply, device: string): FastifyReply =>
  setCookie(reply, deviceName, device, deviceSeconds);

/** What this browser took along to the identity provider. */
export const flowToken = (request: FastifyRequest): string | undefined => readCookie(request, flowName);

export const setFlow = (reply: FastifyReply, flow: string): FastifyReply =>
  setCookie(reply, flowName, flow, flowSeconds);

export const clearFlow = (reply: FastifyReply): FastifyReply => setCookie(reply, flowName, '', 0);

export const setCookie = (reply: FastifyReply, name: string, value: string, seconds: number): FastifyReply =>
  reply.header(
    'Set-Cookie',
    `${name}=${value}; Path=/; Max-Age=${Math.max(0, Math.floor(seconds))}; Secure; HttpOnly; SameSite=Lax`,
  );
