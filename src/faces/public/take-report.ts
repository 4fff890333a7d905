import type { Database } from '../../database/pool.ts';
import type { ServiceParts } from '../../database/service-work.ts';
import { HandOverPending, takeNotice } from '../../domain/delivery/inbound/take-notice.ts';
import { findMessage } from '../../domain/delivery/ledger/find-message.ts';
import { isOfRoute } from '../../domain/delivery/ledger/route.ts';
import { unsubscribe } from '../../domain/tracking/unsubscribe.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import type { MailgunFeedback } from './mailgun-notices.ts';

export interface ReportParts extends ServiceParts {
  readonly database: Database;
  readonly clock: Clock;
}

export interface Report {
  /** Where the token of our message may be. */
  readonly named: readonly (string | undefined)[];
  readonly notice: MailgunFeedback;
  /** The route whose account reports: it is believed about messages that went over it. */
  readonly route: string;
  readonly actor: 'ses' | 'mailgun';
  readonly requestId: string;
}

/** Applies what a provider of email reports about one message, if it is one of ours. */
export async function takeReport(parts: ReportParts, report: Report): Promise<void> {
  const { named, notice, route, actor, requestId } = report;
  // The provider's account may also send mail that is not the service's.
  const message = findMessage(parts.keys, named);
  if (message === undefined || !(await isOfRoute(parts.database, message, 'email', route))) return;
  const { org, delivery } = message;
  const now = parts.clock.now();
  try {
    if (notice.what === 'unsubscribed')
      await unsubscribe(
        parts.database,
        parts,
        { org, now, actor: 'unsubscribe', requestId },
        { delivery, itself: false },
      );
    else await takeNotice(parts.database, parts, { message, notice, now, actor, requestId });
  } catch (error) {
    throw error instanceof HandOverPending ? later('The message is being handed over.') : error;
  }
}

export const unsigned = (detail: string): Failure => new Failure('unauthenticated', detail);
export const later = (detail: string): Failure =>
  new Failure('unavailable', detail, { retryAfterSeconds: 30 });
