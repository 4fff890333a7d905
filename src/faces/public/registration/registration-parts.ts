import type { Perform } from '../../../catalogue/perform.ts';
import type { SharedCalls } from '../../../catalogue/share-calls.ts';
import type { BelieveParts } from '../../../domain/orgs/believe.ts';
import type { TrackParts } from '../track.ts';

/** What registration pages work with: a registration takes its organization's places, as a call of its own does. */
export interface RegistrationParts
  extends TrackParts, Pick<BelieveParts, 'unknown' | 'onShed'>, Pick<SharedCalls, 'takeForForm'> {
  readonly perform: Perform;
}
