import { Failure } from '../../kernel/failure.ts';
import type { StoredBroadcast } from './broadcast-rows.ts';

/** Only a draft may be changed, planned or scheduled. */
export function refuseUnlessDraft({ status, send_at }: StoredBroadcast): void {
  if (status === 'draft') return;
  if (status === 'scheduled') {
    throw new Failure(
      'broadcast_scheduled',
      `The broadcast is scheduled for ${send_at?.toISOString()}. Unschedule it first.`,
    );
  }
  throw new Failure('sending_begun', `The broadcast is ${status}; only a draft can be changed or scheduled.`);
}
