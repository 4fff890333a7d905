import type { PlaceKind, Slots } from '../kernel/slots.ts';

/** When a message comes again that found no place. */
export const noPlaceMs = 1_000;

interface Placing {
  readonly places: Slots;
  readonly owner: string;
  readonly stopping: AbortSignal;
  readonly kind?: PlaceKind;
}

/**
 * Acts in a place of the owner's. `no_place`: there is none soon. Throws if a stop comes first: the engine then retries
 * in another process.
 */
export async function inPlace<T>(
  { places, owner, stopping, kind }: Placing,
  act: () => Promise<T>,
): Promise<T | 'no_place'> {
  if (!(await places.take(owner, stopping, kind))) {
    if (stopping.aborted) throw new Error('shutting down');
    return 'no_place';
  }
  try {
    return await act();
  } finally {
    places.free(owner);
  }
}
