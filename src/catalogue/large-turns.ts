import type { OrgId } from '../kernel/ids.ts';
import { inPlace, slots, type Slots } from '../kernel/slots.ts';

/** One import of 50,000 rows alone keeps the thread of a process busy for half of its time, and holds 40 MB. */
const mostAtOnce = 2;

export type InTurn = <T>(org: OrgId, act: () => Promise<T>) => Promise<T>;

/** Few at once, in order, and one of each organization: whoever asks for many keeps only themselves waiting. */
export function largeTurns(): InTurn {
  const all = slots(mostAtOnce);
  const orgs = new Map<OrgId, Slots>();
  return async (org, act) => {
    const own = orgs.get(org) ?? slots(1);
    orgs.set(org, own);
    // Nobody gives up: as with any call that has begun, who stops listening is answered all the same.
    const { signal } = new AbortController();
    try {
      return await inPlace(own, signal, () => inPlace(all, signal, act));
    } finally {
      if (own.unused) orgs.delete(org);
    }
  };
}
