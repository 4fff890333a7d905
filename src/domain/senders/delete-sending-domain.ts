import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { Failure } from '../../kernel/failure.ts';
import { SendingDomainId } from '../../kernel/ids.ts';
import { requireDomain } from './sending-domain.ts';

export const deleteSendingDomain = defineOperation({
  name: 'delete_sending_domain',
  title: 'Delete a sending domain',
  summary: 'Remove a domain and its DKIM key for good. Refused while a sender uses it.',
  permission: 'settings.write',
  effect: 'destroy',
  faces: { rest: ['DELETE /v1/sending-domains/:domain_id'] },
  input: z.strictObject({ domain_id: SendingDomainId }),
  output: z.object({ deleted: z.literal(true), domain_id: SendingDomainId }),
  handle: async (work, { domain_id }) => {
    const { domain } = await requireDomain(work, domain_id, 'hold');
    const { senders } = await work.db
      .selectFrom('senders')
      .select((eb) => eb.fn.countAll<number>().as('senders'))
      .where('org_id', '=', work.org)
      .where('domain_id', '=', domain_id)
      .executeTakeFirstOrThrow();
    if (senders > 0) {
      const what = senders === 1 ? 'A sender still sends' : `${senders} senders still send`;
      throw new Failure('still_referenced', `${what} from ${domain}. Delete every sender at it first.`);
    }
    await work.db
      .deleteFrom('sending_domains')
      .where('org_id', '=', work.org)
      .where('id', '=', domain_id)
      .execute();
    work.touched['domain_id'] = domain_id;
    return { deleted: true as const, domain_id };
  },
});
