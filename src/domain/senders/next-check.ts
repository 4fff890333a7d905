import type { Finding } from './domain-records.ts';

const minute = 60_000;
const hour = 60 * minute;
const unsettled = { soonest: minute, latest: 6 * hour, ofAge: 1 / 10 };

/**
 * How long to wait before the next check. A domain that is being set up is checked every minute; one that has been
 * wrong for days every six hours. Age counts from when the domain was added or last lost its standing.
 */
export function delayOfNextCheck(statuses: readonly Finding['status'][], age: number): number {
  if (statuses.includes('unreachable')) return 5 * minute;
  if (statuses.every((status) => status === 'found')) return 24 * hour;
  const { soonest, latest, ofAge } = unsettled;
  return Math.round(Math.min(Math.max(age * ofAge, soonest), latest));
}
