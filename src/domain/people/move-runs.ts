import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import type { PersonId } from '../../kernel/ids.ts';
import { skipMessagesOfRun } from './move-deliveries.ts';

/**
 * Gives the workflow runs of a merged person to the survivor, before the registrations are. Where both were registered
 * for one webinar the earlier registration stays, and with it its runs: those of the later one, in the same workflows,
 * would tell one person everything twice, and end. Both people are held, so nothing of theirs is released meanwhile.
 */
export async function moveRuns(work: Work, survivor: PersonId, loser: PersonId): Promise<void> {
  const { db, org, now } = work;
  const both = sql`
    select gone.id as gone_id, kept.id as kept_id
    from registrations kept join registrations gone
      on gone.org_id = kept.org_id and gone.webinar_id = kept.webinar_id and gone.id <> kept.id
        and (gone.registered_at, gone.id) > (kept.registered_at, kept.id)
    where kept.org_id = ${org} and kept.person_id in (${survivor}, ${loser})
      and gone.person_id in (${survivor}, ${loser})`;
  const { rows: ended } = await sql<{ id: string }>`
    update workflow_runs r set state = 'ended', ended_at = coalesce(r.ended_at, ${now}),
      outcome = case r.state when 'ended' then r.outcome else 'merged' end
    from (${both}) b
    where r.org_id = ${org} and r.registration_id = b.gone_id and exists (
      select 1 from workflow_runs k
      where k.org_id = ${org} and k.registration_id = b.kept_id and k.workflow_id = r.workflow_id)
    returning r.id`.execute(db);
  const ids = ended.map(({ id }) => id);
  await sql`
    update workflow_runs r set registration_id = b.kept_id from (${both}) b
    where r.org_id = ${org} and r.registration_id = b.gone_id and r.id <> all(${ids}::uuid[])`.execute(db);
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
