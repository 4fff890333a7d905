import type { Perform } from '../../../catalogue/perform.ts';
import type { TakeCallPlace } from '../../../catalogue/share-calls.ts';

/** Each operation in a place of its own: what comes in or goes out between may be slow, and holds none. */
export const inPlaces =
  (perform: Perform, take: TakeCallPlace): Perform =>
  async (operation, caller, ...rest) => {
    const free = await take(caller.org, operation);
    try {
      return await perform(operation, caller, ...rest);
    } finally {
      free();
    }
  };
