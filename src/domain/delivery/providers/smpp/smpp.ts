import { z } from 'zod';
import type { TextProviderKind } from '../../outgoing/text-provider.ts';
import { smppLimits, smppProvider } from './send.ts';

export const smpp: TextProviderKind<'SMPP_URL'> = {
  label: 'SMPP',
  settings: {
    SMPP_URL: z
      .string()
      .regex(
        /^s?smpp:\/\/[^:@/]+:[^:@/]*@(\[[\da-f:]+\]|[^:@/]+)(:\d{1,5})?$/i,
        'must be smpp://system_id:password@host:port, or ssmpp:// over TLS',
      )
      .optional()
      .describe('The SMSC that texts go through; what is special in name and password is percent-encoded.'),
  },
  limits: smppLimits,
  open: ({ settings, hearing }) =>
    smppProvider({
      url: settings.SMPP_URL,
      ...hearing,
      onTrouble: (what) => hearing.onTrouble('the SMSC', what),
    }),
  // Receipts and inbound texts come over the session that sends texts.
  hears: { by: 'connection' },
};
