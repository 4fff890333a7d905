import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { isSameText } from '../../../../kernel/same-text.ts';
import { readJson } from '../http/ask.ts';
import { rowOf, said } from '../http/said.ts';
import type { Heard, PlatformWebhook } from '../platform.ts';
import type { ZoomField } from './connect.ts';

const oldestMs = 300_000; // also the greatest clock skew

const EventNumber = z.union([z.string().max(100), z.int().transform(String)]);
const Told = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('endpoint.url_validation'),
    payload: z.object({ plainToken: z.string().min(1).max(500) }),
  }),
  z.object({
    event: z.literal('webinar.participant_joined'),
    payload: z.object({
      object: z.object({ id: EventNumber, participant: z.object({ registrant_id: said, email: said }) }),
    }),
  }),
  z.object({
    event: z.literal('webinar.registration_approved'),
    payload: z.object({
      object: z.object({
        id: EventNumber,
        registrant: z.object({
          id: z.string().min(1).max(200),
          join_url: z.url({ protocol: /^https?$/ }).max(4_000),
        }),
      }),
    }),
  }),
]);

/**
 * What Zoom reports during webinars. The participants report has all of it as well, so an event of another kind, or an
 * unreadable one, is acknowledged and ignored.
 */
export const zoomWebhook: PlatformWebhook<ZoomField> = {
  isSigned({ headers, body }, { webhook_secret_token: secret }, now) {
    const { 'x-zm-signature': signature, 'x-zm-request-timestamp': timestamp } = headers;
    if (typeof signature !== 'string' || typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp))
      return false;
    if (Math.abs(now.getTime() - Number(timestamp) * 1_000) > oldestMs) return false;
    return isSameText(signature, `v0=${hmac(secret, `v0:${timestamp}:${body}`)}`);
  },
  read(body, { webhook_secret_token: secret }): Heard {
    const told = Told.safeParse(readJson(body));
    if (!told.success) return { what: 'nothing' };
    const { event, payload } = told.data;
    // Zoom validates an endpoint by its answer: Zoom's own token, and that token signed with the secret.
    if (event === 'endpoint.url_validation') {
      const { plainToken } = payload;
      return { what: 'question', answer: { plainToken, encryptedToken: hmac(secret, plainToken) } };
    }
    const eventId = payload.object.id;
    if (event === 'webinar.registration_approved') {
      const { id: externalId, join_url: joinUrl } = payload.object.registrant;
      return { what: 'approved', eventId, externalId, joinUrl };
    }
    const { registrant_id: externalId, email } = payload.object.participant;
    return { what: 'joined', eventId, row: rowOf({ externalId, email }) };
  },
};

const hmac = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex');
