import { holdOrgLock, shareOrgLock } from '../../database/locks.ts';
import type { Work } from '../../database/work.ts';

/**
 * A transaction that gives a person a number shares this lock until it commits, before it looks whether the number is
 * remembered. A stop from a number that no person seems to have takes it exclusively: so the later of the two sees the
 * other. Taken after people are locked.
 */
export async function shareNumbers(work: Work, given: readonly { readonly type: string }[]): Promise<void> {
  if (given.some(({ type }) => type === 'phone')) await shareOrgLock(work, 'giving_numbers');
}

export const holdNumbers = (work: Work): Promise<void> => holdOrgLock(work, 'giving_numbers');
