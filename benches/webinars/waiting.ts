import { setTimeout as pause } from 'node:timers/promises';
import type { Setting } from '../send/arrange.ts';
import { tell } from '../support/command.ts';
import { reminders, type Reminder } from './reminders.ts';

/** Runs of one workflow that stand at their first wait, all of them for one webinar. */
export interface Waiting {
  readonly setting: Setting;
  readonly webinar: string;
  readonly workflow: string;
  readonly count: number;
}

/**
 * Registers so many people as registering would have in the two weeks before, in any order, and lets their runs come
 * to the first wait: the same rows, only all at once. Timelines are left out, nothing measured reads them.
 */
export async function letWait(waiting: Waiting): Promise<void> {
  const { setting, webinar, workflow, count } = waiting;
  const { rows, org } = setting;
  tell(`${count} runs come to their first wait`);
  await rows.query(
    `insert into registrations (org_id, id, webinar_id, person_id, registered_at)
     select $1, new_id(at), $2, person_id, at from (
       select id as person_id, now() - interval '14 days' * (1 - row_number() over (order by md5(id::text)) / $3::float8) as at
       from people where org_id = $1 limit $3) r
     order by at`,
    [org.id, webinar, count],
  );
  await rows.query(
    `insert into workflow_runs (org_id, id, workflow_id, version, person_id, webinar_id, registration_id, started_at)
     select r.org_id, new_id(r.registered_at), f.id, f.live_version, r.person_id, r.webinar_id, r.id, r.registered_at
     from registrations r join workflows f on f.org_id = r.org_id and f.id = $3
     where r.org_id = $1 and r.webinar_id = $2 order by r.registered_at`,
    [org.id, webinar, workflow],
  );
  // Or whoever checks that the runs are there takes them for as few as there were when they were last counted.
  await rows.query('analyze registrations, workflow_runs');
  const [first] = reminders;
  await rows.query(
    `insert into waits (org_id, run_id, clock_id, person_id, workflow_id, version, node, anchor, offset_ms, began_at)
     select org_id, id, webinar_id, person_id, workflow_id, version, $3, 'start', $4, started_at from workflow_runs
     where org_id = $1 and webinar_id = $2 order by started_at`,
    [org.id, webinar, first.wait, first.minutes * 60_000],
  );
  await rows.query(
    `insert into wait_clocks (org_id, id, next_at)
     select org_id, id, start_time + $3 * interval '1 minute' from webinars where org_id = $1 and id = $2
     on conflict (org_id, id) do update set next_at = excluded.next_at`,
    [org.id, webinar, first.minutes],
  );
  await rows.query('vacuum analyze registrations, workflow_runs, waits, wait_clocks');
}

/** As if time had passed until everybody's wait for this reminder ends at this moment. */
export async function becomeDue({ setting, webinar }: Waiting, { minutes }: Reminder): Promise<void> {
  const { rows, org } = setting;
  await rows.query(
    `with set_back as (
       update webinars set start_time = now() - $3 * interval '1 minute', moved_at = null where org_id = $1 and id = $2)
     update wait_clocks set next_at = now() where org_id = $1 and id = $2`,
    [org.id, webinar, minutes],
  );
}

/** How many of a reminder are in the ledger, and how many of them were sent. */
export async function inLedger(
  { setting, webinar, workflow }: Waiting,
  { send }: Reminder,
): Promise<{ added: number; sent: number }> {
  const { rows } = await setting.rows.query<{ added: number; sent: number }>(
    `select coalesce(sum(recipients), 0)::int as added, coalesce(sum(sent), 0)::int as sent from broadcasts
     where org_id = $1 and workflow_id = $2 and webinar_id = $3 and node = $4`,
    [setting.org.id, workflow, webinar, send],
  );
  return rows[0]!;
}

/** Waits until everybody who stood there is in the ledger, or sent; how many are when the time is over. */
export async function untilAll(
  waiting: Waiting,
  reminder: Reminder,
  what: 'added' | 'sent',
  atMostMs = 300_000,
): Promise<{ ms: number; count: number }> {
  const started = performance.now();
  for (;;) {
    const { [what]: count } = await inLedger(waiting, reminder);
    const ms = performance.now() - started;
    if (count >= waiting.count || ms > atMostMs) return { ms, count };
    await pause(20);
  }
}
