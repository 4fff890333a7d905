import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { SendingDomainId } from '../../kernel/ids.ts';
import { requireDomain, SendingDomain, toSendingDomain } from './sending-domain.ts';

export const getSendingDomain = defineOperation({
  name: 'get_sending_domain',
  title: 'Get a sending domain',
  summary:
    'The four DNS records a domain needs, what the last check found of each, and whether it is verified.',
  permission: 'settings.read',
  effect: 'read',
  faces: { rest: ['GET /v1/sending-domains/:domain_id'] },
  input: z.strictObject({ domain_id: SendingDomainId }),
  output: z.object({ sending_domain: SendingDomain }),
  handle: async (work, { domain_id }) => ({
    sending_domain: toSendingDomain(work, await requireDomain(work, domain_id)),
  }),
});
