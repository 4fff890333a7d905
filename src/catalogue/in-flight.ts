import { tooManyCalls } from '../kernel/call-shares.ts';
import type { OrgId } from '../kernel/ids.ts';
import type { OnShed } from '../kernel/shed.ts';

/** As many as may run and wait in shares. */
const mostOfOne = 160;

/** Counts a request of an organization until `done` is called. Refuses beyond a number, before its body is read. */
export type EnterFlight = (org: OrgId) => { readonly done: () => void };

export function inFlight(onShed: OnShed): EnterFlight {
  const counts = new Map<OrgId, number>();
  return (org) => {
    const count = counts.get(org) ?? 0;
    if (count >= mostOfOne) {
      onShed('too_many_calls');
      throw tooManyCalls();
    }
    counts.set(org, count + 1);
    return {
      done: () => {
        const left = counts.get(org)! - 1;
        if (left === 0) counts.delete(org);
        else counts.set(org, left);
      },
    };
  };
}
