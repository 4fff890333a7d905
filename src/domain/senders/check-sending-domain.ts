import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { SendingDomainId } from '../../kernel/ids.ts';
import { requestCheck } from './request-check.ts';
import { requireDomain, SendingDomain, toSendingDomain } from './sending-domain.ts';

export const checkSendingDomain = defineOperation({
  name: 'check_sending_domain',
  title: 'Check a sending domain now',
  summary:
    'Ask for a look at the DNS records of a domain. The answer is the domain as it stands, with checking true: read it ' +
    'again in some seconds. Domains are also looked at without being asked, once verified every day.',
  permission: 'settings.write',
  effect: 'change',
  repeatable: true,
  cost: 'heavy', // it makes other people's servers work
  faces: { rest: ['POST /v1/sending-domains/:domain_id/check'] },
  input: z.strictObject({ domain_id: SendingDomainId }),
  output: z.object({ sending_domain: SendingDomain }),
  handle: async (work, { domain_id }) => {
    const domain = await requireDomain(work, domain_id, 'hold');
    const next_check_at = await requestCheck(work, domain);
    return { sending_domain: toSendingDomain(work, { ...domain, next_check_at }) };
  },
});
