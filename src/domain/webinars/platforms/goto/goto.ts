import { z } from 'zod';
import type { Platform } from '../platform.ts';
import { connectGoto, type GotoField } from './connect.ts';

export const goto: Platform<GotoField, 'GOTO_API_URL' | 'GOTO_OAUTH_URL'> = {
  label: 'GoTo Webinar',
  settings: {
    GOTO_API_URL: {
      url: 'https://api.getgo.com',
      words: 'Where GoTo Webinar is, or a gateway to it; https, but on the same machine.',
    },
    GOTO_OAUTH_URL: {
      url: 'https://authentication.logmeininc.com',
      words: 'Where GoTo gives its tokens.',
    },
  },
  credentials: {
    account_id: {
      label: 'Organizer key',
      kind: 'text',
      secret: false,
      words: 'At GoTo Webinar the organizer key.',
    },
    client_id: {
      label: 'Client ID',
      kind: 'text',
      secret: false,
      words: 'The app at the platform, as it calls it.',
    },
    client_secret: { label: 'Client secret', kind: 'password', secret: true, words: '' },
    refresh_token: {
      label: 'Refresh token',
      kind: 'password',
      secret: true,
      longest: 4_000,
      words: 'What the organizer gave the app when letting it in.',
    },
  },
  event: {
    // The webinar's key, not the nine digits that attendees see.
    schema: z
      .string()
      .transform((text) => text.replaceAll(/[\s-]/g, ''))
      .pipe(
        z
          .string()
          .regex(
            /^\d{12,20}$/,
            'Takes the key of a webinar at GoTo Webinar: the long number in its registration link.',
          ),
      ),
    longest: 40,
    words: "at GoTo Webinar the webinar's key",
  },
  // GoTo allows an app ten calls a second, and sets no limit per registrant.
  limits: { atOnce: 3, callsADay: 8 },
  connect: ({ GOTO_API_URL: apiUrl, GOTO_OAUTH_URL: oauthUrl }, { timeoutMs } = {}) =>
    connectGoto({ apiUrl, oauthUrl, timeoutMs }),
  // GoTo's public documents do not specify the signature of its events to the byte.
  webhook: 'none',
};
