import type { Perform } from '../../../catalogue/perform.ts';
import type { TakeCallPlace } from '../../../catalogue/share-calls.ts';

/**
 * Each operation in a place of its own: what comes in or goes out between may be slow, and holds none. While other
 * organizations are active the place rests so many times as long as it was held.
 */
export const inPlaces =
  (perform: Perform, take: TakeCallPlace, rests = 0): Perform =>
  async (operation, caller, ...rest) => {
    const free = await take(caller.org, operation);
    const began = performance.now();
    try {
      return await perform(operation, caller, ...rest);
    } finally {
      free((performance.now() - began) * rests);
    }
  };
