import { z } from 'zod';
import type { Platform } from '../platform.ts';
import { connectZoom, type ZoomField } from './connect.ts';
import { zoomWebhook } from './webhook.ts';

export const zoom: Platform<ZoomField, 'ZOOM_API_URL' | 'ZOOM_OAUTH_URL'> = {
  label: 'Zoom',
  settings: {
    ZOOM_API_URL: {
      url: 'https://api.zoom.us',
      words: 'Where Zoom is, or a gateway to it; https, but on the same machine.',
    },
    ZOOM_OAUTH_URL: { url: 'https://zoom.us', words: 'Where Zoom gives its tokens.' },
  },
  credentials: {
    account_id: {
      label: 'Account ID',
      kind: 'text',
      secret: false,
      words: 'The account at the platform, as it calls it.',
    },
    client_id: {
      label: 'Client ID',
      kind: 'text',
      secret: false,
      words: 'The app at the platform, as it calls it.',
    },
    client_secret: { label: 'Client secret', kind: 'password', secret: true, words: '' },
    webhook_secret_token: {
      label: 'Webhook secret token',
      kind: 'password',
      secret: true,
      words: 'What the platform signs its events with.',
    },
  },
  event: {
    // As Zoom prints them: 9 to 12 digits, with spaces or without.
    schema: z
      .string()
      .transform((text) => text.replaceAll(/[\s-]/g, ''))
      .pipe(z.string().regex(/^\d{9,12}$/, 'Takes the number of a webinar at Zoom.')),
    longest: 40,
    words: 'at Zoom the number of the webinar',
  },
  // Zoom allows a small account 30 such calls a second, and three a day for one registrant.
  limits: { atOnce: 5, callsADay: 3 },
  connect: ({ ZOOM_API_URL: apiUrl, ZOOM_OAUTH_URL: oauthUrl }, { timeoutMs } = {}) =>
    connectZoom({ apiUrl, oauthUrl, timeoutMs }),
  webhook: zoomWebhook,
};
