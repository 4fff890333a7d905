import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import type { PersonId } from '../../kernel/ids.ts';
import { refreshPrimaries } from '../identifiers/refresh-primaries.ts';
import { moveDeliveries } from './move-deliveries.ts';
import { moveRegistrations } from './move-registrations.ts';
import { moveRuns } from './move-runs.ts';

/** Tables whose rows simply change hands. */
export const followingTables = [
  'events',
  'sent_emails',
  'sent_messages',
  'signals',
  'purchases',
  'subscriptions',
  'tasks',
  'connection_invites',
  'property_changes',
  'test_sends',
] as const;

/**
 * Folds people into a survivor, for good. All of them are held by the caller. Suppression always survives: whatever
 * kept any of them from being written to keeps the survivor from it.
 */
export async function mergePeople(
  work: Work,
  survivor: PersonId,
  losers: readonly PersonId[],
): Promise<void> {
  if (losers.length > 0) await moveDeliveries(work, survivor, losers);
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
    await absorbFields(work, survivor, loser);
    await leaveRedirect(work, survivor, loser);
  }
  if (losers.length === 0) return;
  await refreshPrimaries(work, survivor);
  work.touched['merged_person_ids'] = losers;
}

/** The survivor's primaries stay; the other's stand where the survivor had none. */
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

/** Values the survivor lacked; a cleared one counts as lacking. */
async function moveProperties({ db, org }: Work, survivor: PersonId, loser: PersonId): Promise<void> {
  await sql`
    insert into property_values as v
      (org_id, person_id, config_id, text_value, number_value, boolean_value, changed_by, created_at)
    select org_id, ${survivor}, config_id, text_value, number_value, boolean_value, changed_by, created_at
    from property_values where org_id = ${org} and person_id = ${loser}
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

/**
 * The survivor's own fields stand; what it lacks comes from the other, and latest moments take in both. What is known of
 * payments is one story, told of one of the two: of the one whose subscription is livelier, of two alike the survivor.
 */
async function absorbFields({ db, org, now }: Work, survivor: PersonId, loser: PersonId): Promise<void> {
  await sql`
    update people s set
      first_name = coalesce(s.first_name, l.first_name),
      last_name = coalesce(s.last_name, l.last_name),
      subscription_status = paying.subscription_status,
      payment_processor = paying.payment_processor,
      mrr = paying.mrr,
      ltv = paying.ltv,
      first_payment_date = paying.first_payment_date,
      next_payment_date = paying.next_payment_date,
      cancels_at = paying.cancels_at,
      engagement = add_engagement(s.engagement, l.engagement),
      last_opened_at = greatest(s.last_opened_at, l.last_opened_at),
      last_clicked_at = greatest(s.last_clicked_at, l.last_clicked_at),
      last_replied_at = greatest(s.last_replied_at, l.last_replied_at),
      health_score = coalesce(s.health_score, l.health_score),
      health_band = coalesce(s.health_band, l.health_band),
      health_trend = coalesce(s.health_trend, l.health_trend),
      score_change_7d = coalesce(s.score_change_7d, l.score_change_7d),
      primary_team_member = coalesce(s.primary_team_member, l.primary_team_member),
      assigned_team_members = (
        select coalesce(array_agg(distinct m), '{}') from unnest(s.assigned_team_members || l.assigned_team_members) m),
      updated_at = ${now}
    from people l, (
      select subscription_status, payment_processor, mrr, ltv, first_payment_date, next_payment_date, cancels_at
      from people where org_id = ${org} and id in (${survivor}, ${loser})
      order by
        (subscription_status, payment_processor, first_payment_date, next_payment_date, cancels_at) is null
          and mrr = 0 and ltv = 0,
        array_position(array['active', 'trialing', 'past_due', 'paused', 'unpaid', 'incomplete', 'canceled',
          'incomplete_expired', 'inactive'], subscription_status),
        id <> ${survivor}
      limit 1
    ) paying
    where s.org_id = ${org} and s.id = ${survivor} and l.org_id = ${org} and l.id = ${loser}`.execute(db);
}

/** Whoever asks for the old id, or for one merged into it earlier, is told where it went. */
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
