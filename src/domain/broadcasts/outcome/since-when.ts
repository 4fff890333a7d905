import type { Work } from '../../../database/work.ts';
import type { StoredBroadcast } from '../draft/broadcast-rows.ts';
import type { DeliveryRow, Step } from './explain-row.ts';

/** Since when a skipped person has been suppressed, as far as it is still on record. */
export async function sinceWhen(
  work: Work,
  { channel }: StoredBroadcast,
  { state, reason, person_id }: DeliveryRow,
): Promise<Step[]> {
  if (state !== 'skipped' || person_id === null) return [];
  if (reason === 'opted_out') return optOutSince(work, person_id, channel);
  if (reason === 'bounced' || reason === 'complained' || reason === 'blacklisted')
    return blacklistedSince(work, person_id, reason);
  return [];
}

const takenBack = (what: string): Step => ({
  at: null,
  what: 'no_longer_suppressed',
  detail: `${what} is not on record any more: it was taken back since.`,
});

async function optOutSince({ db, org }: Work, person: string, channel: string): Promise<Step[]> {
  const found = await db
    .selectFrom('opt_outs')
    .select('updated_at')
    .where('org_id', '=', org)
    .where('person_id', '=', person)
    .where(channel === 'email' ? 'email_opt_out' : 'sms_opt_out', '=', true)
    .executeTakeFirst();
  if (found === undefined) return [takenBack('Their opt-out')];
  return [{ at: found.updated_at, what: 'opted_out', detail: 'Their opt-out was last recorded then.' }];
}

async function blacklistedSince({ db, org }: Work, person: string, reason: string): Promise<Step[]> {
  const found = await db
    .selectFrom('email_blacklist')
    .select('created_at')
    .where('org_id', '=', org)
    .where('person_id', '=', person)
    .where('reason', '=', reason)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  if (found === undefined) return [takenBack('The entry on the blacklist')];
  return [{ at: found.created_at, what: reason, detail: 'Their address was put on the blacklist then.' }];
}
