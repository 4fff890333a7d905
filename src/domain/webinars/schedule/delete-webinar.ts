import { sql } from 'kysely';
import { z } from 'zod';
import { defineOperation, type Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { WebinarId } from '../../../kernel/ids.ts';
import { holdTime } from './move-time.ts';

export const deleteWebinar = defineOperation({
  name: 'delete_webinar',
  title: 'Delete a webinar',
  summary:
    'Delete a webinar that nothing came of: nobody is registered, no workflow ran and nothing was sent for it. ' +
    'Cancel any other.',
  permission: 'webinars.write',
  effect: 'destroy',
  faces: { rest: ['DELETE /v1/webinars/:webinar_id'] },
  input: z.strictObject({ webinar_id: WebinarId }),
  output: z.object({ deleted: z.literal(true), webinar_id: WebinarId }),
  handle: async (work, { webinar_id: asked }) => {
    const { db, org } = work;
    // Holding the clock keeps registrations out; a broadcast that takes the webinar up gets a foreign key error.
    const webinar_id = (await holdTime(work, asked)).id as WebinarId;
    await refuseIfUsed(work, webinar_id);
    await db.deleteFrom('wait_clocks').where('org_id', '=', org).where('id', '=', webinar_id).execute();
    await db.deleteFrom('webinars').where('org_id', '=', org).where('id', '=', webinar_id).execute();
    work.touched['webinar_id'] = webinar_id;
    return { deleted: true as const, webinar_id };
  },
});

interface Uses {
  readonly registered: boolean;
  readonly ran: boolean;
  readonly sent: boolean;
  readonly broadcast: string | null;
  readonly workflow: string | null;
}

async function refuseIfUsed({ db, org }: Work, webinar: WebinarId): Promise<void> {
  const broadcasts = sql`from broadcasts b where b.org_id = ${org} and b.webinar_id = ${webinar}`;
  const { rows } = await sql<Uses>`
    select
      exists (select 1 from registrations where org_id = ${org} and webinar_id = ${webinar}) as registered,
      exists (select 1 from workflow_run_counts where org_id = ${org} and webinar_id = ${webinar}) as ran,
      exists (select 1 ${broadcasts} and (b.workflow_id is not null or b.started_at is not null)) as sent,
      (select b.id ${broadcasts} limit 1) as broadcast,
      (select f.id from workflows f where f.org_id = ${org}
        and (f.trigger_webinar_id = ${webinar} or f.graph #>> '{trigger,webinar_id}' = ${webinar}::text)
        limit 1) as workflow`.execute(db);
  const { registered, ran, sent, broadcast, workflow } = rows[0]!;
  if (registered || ran || sent) {
    const why = registered
      ? 'People are registered for it'
      : ran
        ? 'Workflows ran for it'
        : 'Messages were sent for it';
    throw new Failure(
      'already_used',
      `${why}, so it stays on record. POST /v1/webinars/${webinar}/cancel calls it off for good.`,
    );
  }
  if (broadcast !== null)
    throw new Failure(
      'still_referenced',
      `Broadcast ${broadcast} is for it. Delete that first, or give it another audience.`,
    );
  if (workflow !== null)
    throw new Failure(
      'still_referenced',
      `Workflow ${workflow} begins with its registrations. Delete that first, or give it another trigger.`,
    );
}
