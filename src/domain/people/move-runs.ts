import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import type { PersonId } from '../../kernel/ids.ts';
import { skipMessagesOfRun } from './move-deliveries.ts';

/**
 * Gives the workflow runs of a merged person to the survivor, before the registrations are. Where both were on their
 * way through one workflow for one webinar, the run that began earlier stays: the other would tell one person everything
 * twice, and ends. Both people are held, so nothing of theirs is released meanwhile.
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
  // The earlier registration stays; a run of the later one that goes on is that one's from now on.
  await sql`
    update workflow_runs r set registration_id = kept.id
    from registrations gone join registrations kept on kept.org_id = gone.org_id and kept.webinar_id = gone.webinar_id
      and (kept.registered_at, kept.id) < (gone.registered_at, gone.id)
    where r.org_id = ${org} and gone.org_id = ${org} and ${either('gone.person_id')} and ${either('kept.person_id')}
      and r.registration_id = gone.id and r.id <> all(${ids}::uuid[])`.execute(db);
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
