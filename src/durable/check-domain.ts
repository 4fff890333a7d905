import { checkDomain, type CheckOutcome, type CheckParts } from '../domain/senders/check-domain.ts';
import type { Clock } from '../kernel/clock.ts';
import type { MessageHandler } from './mount-handlers.ts';

/** Checks the DNS records of sending domains. The row says when a check is due; an outdated message does nothing. */
export const sendingDomains = (
  parts: CheckParts,
  clock: Clock,
  onChecked: (outcome: CheckOutcome, ids: { org_id: string; domain_id: string }) => void,
): MessageHandler<'SendingDomains'> => ({
  options: { inactivityTimeout: { minutes: 2 }, abortTimeout: { minutes: 1 } },
  handle: async (context, { org_id, domain_id, asked_at }) => {
    const outcome = await context.run('check', () =>
      checkDomain(parts, { org: org_id, domain: domain_id, askedAt: asked_at }, clock.now()),
    );
    onChecked(outcome, { org_id, domain_id });
  },
});
