import { z } from 'zod';
import type { TextProviderKind } from '../../outgoing/text-provider.ts';
import { isPrivate, twilioLimits, twilioProvider } from './send.ts';
import { twilioWebhook } from './webhook.ts';

export type TwilioSetting = 'TWILIO_ACCOUNT_SID' | 'TWILIO_AUTH_TOKEN' | 'TWILIO_BASE_URL';

export const twilio: TextProviderKind<TwilioSetting> = {
  label: 'Twilio',
  settings: {
    TWILIO_ACCOUNT_SID: z
      .string()
      .regex(/^AC[0-9a-f]{32}$/, 'must be AC and 32 digits')
      .optional()
      .describe('The account texts go through.'),
    TWILIO_AUTH_TOKEN: z
      .string()
      .min(16)
      .optional()
      .describe(
        "That account's password, with which Twilio also signs what it tells: set its webhook for messages to " +
          'PUBLIC_URL/webhooks/twilio/inbound#rc=5&rp=all.',
      ),
    TWILIO_BASE_URL: z
      .url({ protocol: /^https?$/ })
      .refine(isPrivate, 'must be https://, or http:// on the same machine')
      .default('https://api.twilio.com')
      .describe('Where Twilio is, or who speaks like it; https, but on the same machine.'),
  },
  limits: twilioLimits,
  open: ({ settings, publicUrl, query }) =>
    twilioProvider({
      accountSid: settings.TWILIO_ACCOUNT_SID,
      authToken: settings.TWILIO_AUTH_TOKEN,
      baseUrl: settings.TWILIO_BASE_URL,
      publicUrl,
      query,
    }),
  hears: twilioWebhook,
};
