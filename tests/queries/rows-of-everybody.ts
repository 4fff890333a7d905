import type pg from 'pg';
import { sampleText } from '../support/sample-input.ts';

/** A moment for an id, by place: ids lie in the index as the rows in the table, else it is chance how many pages a list touches. */
export const inOrder = (by: string): string =>
  `now() - interval '1 hour' + row_number() over (order by ${by}) * interval '1 ms'`;

interface Among {
  readonly org: string;
  readonly webinar: string;
  readonly workflow: string;
  readonly broadcast: string;
}

/** Everybody is registered, has a timeline, waits in a workflow and gets a broadcast; one in ten opted out. */
export async function addRowsOfEverybody(
  admin: pg.Client,
  { org, webinar, workflow, broadcast }: Among,
): Promise<void> {
  await admin.query(
    `insert into registrations (org_id, id, webinar_id, person_id, registered_at)
     select org_id, new_id(${inOrder('id')}), $2, id, now() from people where org_id = $1 on conflict do nothing`,
    [org, webinar],
  );
  await admin.query(
    `insert into events (org_id, id, person_id, name, occurred_at, created_at)
     select org_id, new_id(${inOrder('id, n')}), id, $2, now(), now() from people, generate_series(1, 3) n where org_id = $1`,
    [org, sampleText],
  );
  await admin.query(
    `insert into opt_outs (org_id, person_id, email_opt_out, sms_opt_out, updated_at)
     select org_id, id, true, false, now() from people where org_id = $1 and external_user_id like '%3'
     on conflict do nothing`,
    [org],
  );
  await admin.query(
    `insert into workflow_runs (org_id, id, workflow_id, version, person_id, webinar_id, registration_id, started_at)
     select org_id, new_id(${inOrder('id')}), $3, 1, person_id, webinar_id, id, now() from registrations
     where org_id = $1 and webinar_id = $2`,
    [org, webinar, workflow],
  );
  await admin.query(
    `insert into waits (org_id, run_id, clock_id, person_id, workflow_id, version, node, anchor, offset_ms, began_at)
     select org_id, id, webinar_id, person_id, workflow_id, version, 'wait', 'start', -60000, now() from workflow_runs
     where org_id = $1 and workflow_id = $2`,
    [org, workflow],
  );
  await admin.query(
    `insert into deliveries (org_id, broadcast_id, person_id, state, due_at)
     select org_id, $2, id, 'pending', now() from people where org_id = $1`,
    [org, broadcast],
  );
}
