import * as restate from '@restatedev/restate-sdk';
import { z } from 'zod';
import { checkDomain, type CheckOutcome, type CheckParts } from '../domain/senders/check-domain.ts';
import type { Clock } from '../kernel/clock.ts';
import { OrgId, SendingDomainId } from '../kernel/ids.ts';

const Asked = z.object({ org_id: OrgId, domain_id: SendingDomainId, asked_at: z.coerce.date() });

/** Looks at the DNS records of sending domains. The row says when one is due; a wish already met does nothing. */
export const sendingDomains = (
  parts: CheckParts,
  clock: Clock,
  onChecked: (outcome: CheckOutcome, ids: { org_id: string; domain_id: string }) => void,
) =>
  restate.service({
    name: 'SendingDomains',
    options: { journalRetention: 0, inactivityTimeout: { minutes: 2 }, abortTimeout: { minutes: 1 } },
    handlers: {
      check: async (context: restate.Context, raw: unknown): Promise<void> => {
        const parsed = Asked.safeParse(raw);
        if (!parsed.success) throw new restate.TerminalError('not a check of a sending domain');
        const { org_id, domain_id, asked_at } = parsed.data;
        const outcome = await context.run('check', () =>
          checkDomain(parts, { org: org_id, domain: domain_id, askedAt: asked_at }, clock.now()),
        );
        onChecked(outcome, { org_id, domain_id });
      },
    },
  });
