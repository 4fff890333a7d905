import type { Perform } from '../../../catalogue/perform.ts';
import type { TakeCallPlace } from '../../../catalogue/share-calls.ts';
import type { BelieveParts } from '../../../domain/orgs/believe.ts';
import type { TrackParts } from '../track.ts';

/** What registration pages work with: a registration takes its organization's places, as a call of its own does. */
export interface RegistrationParts extends TrackParts, Pick<BelieveParts, 'unknown' | 'onShed'> {
  readonly perform: Perform;
  readonly take: TakeCallPlace;
}
