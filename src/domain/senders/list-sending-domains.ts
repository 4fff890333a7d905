import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { pageInput, pageOutput } from '../../kernel/page.ts';
import { domainColumns, SendingDomain, toSendingDomain } from './sending-domain.ts';

export const listSendingDomains = defineOperation({
  name: 'list_sending_domains',
  title: 'List sending domains',
  summary:
    'The domains email is sent from, oldest first, each with the DNS records it needs and how they stand.',
  permission: 'settings.read',
  effect: 'read',
  faces: { rest: ['GET /v1/sending-domains'] },
  input: z.strictObject(pageInput),
  output: z.object({ sending_domains: z.array(SendingDomain), ...pageOutput }),
  handle: async (work, { limit, offset }) => {
    const ours = work.db.selectFrom('sending_domains').where('org_id', '=', work.org);
    const { total } = await ours
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const rows = await ours
      .select(domainColumns)
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit)
      .offset(offset)
      .execute();
    return { sending_domains: rows.map((row) => toSendingDomain(work, row)), total, limit, offset };
  },
});
