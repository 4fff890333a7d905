import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import { skipMessagesOfRun } from './move-deliveries.ts';

/**
 * Gives the workflow runs of a merged person to the survivor, before the registrations move. Where both were on their
 * way through one workflow for one webinar, the run that began earlier stays; the other ends, because it would send one
 * person everything twice. Both people are held, so nothing of theirs is released meanwhile.
 */
export async function moveRuns(work: Work, survivor: PersonId, loser: PersonId): Promise<void> {
  const { db, org, now } = work;
  const either = (person: string) => sql`${sql.ref(person)} in (${survivor}, ${loser})`;
  const { rows: ended } = await sql<{ id: string }>`
    update workflow_runs r set state = 'ended', ended_at = coalesce(r.ended_at, ${now}),
      outcome = case r.state when 'ended' then r.outcome else 'merged' end
    where r.org_id = ${org} and ${either('r.person_id')} and exists (
      select 1 from workflow_runs k
      where k.org_id = ${org} and ${either('k.person_id')} and k.person_id <> r.person_id
        and k.workflow_id = r.workflow_id and k.webinar_id = r.webinar_id
        and (k.started_at, k.id) < (r.started_at, r.id))
    returning r.id`.execute(db);
  const ids = ended.map(({ id }) => id);
  // The earlier registration stays. A run of the later one that continues now belongs to it, in place of one that ended.
  const continuing = sql`
    select r.id, r.workflow_id, kept.id as registration_id
    from workflow_runs r join registrations gone on gone.org_id = ${org} and gone.id = r.registration_id
      join registrations kept on kept.org_id = gone.org_id and kept.webinar_id = gone.webinar_id
        and (kept.registered_at, kept.id) < (gone.registered_at, gone.id)
    where r.org_id = ${org} and ${either('gone.person_id')} and ${either('kept.person_id')}
      and r.id <> all(${ids}::uuid[])`;
  if (ids.length > 0)
    await sql`
    update workflow_runs r set registration_id = null from (${continuing}) c
    where r.org_id = ${org} and r.id = any(${ids}::uuid[])
      and r.registration_id = c.registration_id and r.workflow_id = c.workflow_id`.execute(db);
  await sql`
    update workflow_runs r set registration_id = c.registration_id from (${continuing}) c
    where r.org_id = ${org} and r.id = c.id`.execute(db);
  await sql`
    with moved as (
      update workflow_runs set person_id = ${survivor} where org_id = ${org} and person_id = ${loser} returning id)
    update waits w set person_id = ${survivor} from moved where w.org_id = ${org} and w.run_id = moved.id`.execute(
    db,
  );
  if (ids.length === 0) return;
  await sql`delete from waits where org_id = ${org} and run_id = any(${ids}::uuid[])`.execute(db);
  await skipMessagesOfRun(work, survivor, ids);
}
