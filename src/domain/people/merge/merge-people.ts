import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import { refreshPrimaries } from '../../identifiers/refresh-primaries.ts';
import { holdBelongings } from './hold-belongings.ts';
import { mergeFields } from './merge-fields.ts';
import { moveDeliveries } from './move-deliveries.ts';
import { moveRegistrations } from './move-registrations.ts';
import { moveRuns } from './move-runs.ts';

/** Tables whose rows only change their person. */
export const followingTables = [
  'events',
  'named_events',
  'signals',
  'purchases',
  'subscriptions',
  'tasks',
  'connection_invites',
  'property_changes',
  'test_sends',
] as const;

/**
 * Folds people into a survivor, for good. The caller holds all of them. Suppression always survives: what kept any of
 * them from being written to now keeps the survivor from it.
 */
export async function mergePeople(
  work: Work,
  survivor: PersonId,
  losers: readonly PersonId[],
): Promise<void> {
  if (losers.length > 0) {
    await holdBelongings(work, [survivor, ...losers]);
    await moveDeliveries(work, survivor, losers);
  }
  for (const loser of losers) {
    await moveIdentifiers(work, survivor, loser);
    await moveProperties(work, survivor, loser);
    await moveRuns(work, survivor, loser);
    await moveRegistrations(work, survivor, loser);
    await moveSuppression(work, survivor, loser);
    for (const table of followingTables) {
      await work.db
        .updateTable(table)
        .set({ person_id: survivor })
        .where('org_id', '=', work.org)
        .where('person_id', '=', loser)
        .execute();
    }
    await mergeFields(work, survivor, loser);
    await leaveRedirect(work, survivor, loser);
  }
  if (losers.length === 0) return;
  await refreshPrimaries(work, survivor);
  work.touched['merged_person_ids'] = losers;
}

/** The survivor's primaries stay; the loser's apply where the survivor had none. */
async function moveIdentifiers({ db, org }: Work, survivor: PersonId, loser: PersonId): Promise<void> {
  await sql`
    delete from identifiers d using identifiers s
    where d.org_id = ${org} and d.person_id = ${loser}
      and s.org_id = ${org} and s.person_id = ${survivor} and s.type = d.type and s.value = d.value`.execute(
    db,
  );
  await sql`
    update identifiers d set person_id = ${survivor}, is_primary_for_type = d.is_primary_for_type and not exists (
      select 1 from identifiers s
      where s.org_id = ${org} and s.person_id = ${survivor} and s.type = d.type and s.is_primary_for_type)
    where d.org_id = ${org} and d.person_id = ${loser}`.execute(db);
}

/** Moves values that the survivor lacks; a cleared one counts as lacking. */
async function moveProperties({ db, org }: Work, survivor: PersonId, loser: PersonId): Promise<void> {
  await sql`
    insert into property_values as v
      (org_id, person_id, config_id, text_value, number_value, boolean_value, changed_by, created_at)
    select org_id, ${survivor}, config_id, text_value, number_value, boolean_value, changed_by, created_at
    from property_values l where org_id = ${org} and person_id = ${loser}
      and exists (select 1 from property_configs c where c.org_id = ${org} and c.id = l.config_id)
    on conflict (org_id, person_id, config_id) do update set
      text_value = excluded.text_value,
      number_value = excluded.number_value,
      boolean_value = excluded.boolean_value,
      changed_by = greatest(v.changed_by, excluded.changed_by)
    where num_nonnulls(v.text_value, v.number_value, v.boolean_value) = 0`.execute(db);
}

async function moveSuppression({ db, org, now }: Work, survivor: PersonId, loser: PersonId): Promise<void> {
  await sql`
    insert into opt_outs as o
      (org_id, person_id, email_opt_out, sms_opt_out, email_out_by, sms_out_by, updated_at)
    select org_id, ${survivor}, email_opt_out, sms_opt_out, email_out_by, sms_out_by, ${now}
    from opt_outs where org_id = ${org} and person_id = ${loser}
    on conflict (org_id, person_id) do update set
      email_opt_out = o.email_opt_out or excluded.email_opt_out,
      sms_opt_out = o.sms_opt_out or excluded.sms_opt_out,
      email_out_by = case when not (o.email_opt_out and excluded.email_opt_out)
        then coalesce(o.email_out_by, excluded.email_out_by) end,
      sms_out_by = case when not (o.sms_opt_out and excluded.sms_opt_out)
        then coalesce(o.sms_out_by, excluded.sms_out_by) end,
      updated_at = excluded.updated_at`.execute(db);
  await sql`
    insert into email_blacklist (org_id, id, person_id, email, reason, created_at)
    select org_id, new_id(${now}), ${survivor}, email, reason, created_at
    from email_blacklist where org_id = ${org} and person_id = ${loser}
    on conflict (org_id, person_id, email) do nothing`.execute(db);
}

/** Redirects the old id, and ids merged into it earlier, to the survivor, and deletes the loser. */
async function leaveRedirect({ db, org, now }: Work, survivor: PersonId, loser: PersonId): Promise<void> {
  await sql`
    update merged_people set survivor_id = ${survivor} where org_id = ${org} and survivor_id = ${loser}`.execute(
    db,
  );
  await db
    .insertInto('merged_people')
    .values({ org_id: org, id: loser, survivor_id: survivor, merged_at: now })
    .execute();
  await db.deleteFrom('people').where('org_id', '=', org).where('id', '=', loser).execute();
}
