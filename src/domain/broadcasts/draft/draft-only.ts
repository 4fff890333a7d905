import { Failure } from '../../../kernel/failure.ts';
import type { StoredBroadcast } from './broadcast-rows.ts';

/** Its send time came and nothing was sent: it may become a draft again. */
export const failedToBegin = ({ status, started_at }: StoredBroadcast): boolean =>
  status === 'error' && started_at === null;

/** Only a draft may be changed, planned or scheduled. */
export function refuseUnlessDraft(row: StoredBroadcast): void {
  const { status, send_at } = row;
  if (status === 'draft') return;
  if (failedToBegin(row)) {
    throw new Failure(
      'failed_to_begin',
      'The broadcast failed before it began. Unschedule it first: it is a draft then.',
    );
  }
  if (status === 'scheduled') {
    throw new Failure(
      'broadcast_scheduled',
      `The broadcast is scheduled for ${send_at?.toISOString()}. Unschedule it first.`,
    );
  }
  throw new Failure(
    'sending_begun',
    `The broadcast is ${status}; only a draft can be changed or scheduled. Create a new one for what comes next.`,
  );
}
