import { randomUUID } from 'node:crypto';
import { ring } from '../../src/domain/workflows/runs/ring.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import type { TestOrg } from '../support/test-org.ts';
import { registerFor } from '../support/webinar.ts';
import { inLine, liveWorkflow, onRegistration } from '../support/workflow.ts';
import type { World } from '../support/world.ts';

// Answers are looked into by tests, not typed twice.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;
type Fields = Readonly<Record<string, unknown>>;

export const minutes = (count: number): number => count * 60_000;
export const days = (count: number): number => minutes(count * 24 * 60);

export const plus = (moment: string, ms: number): string => new Date(Date.parse(moment) + ms).toISOString();

/** A wait reckoned from a webinar's start or end. */
export const anchored = (id: string, anchor: 'start' | 'end', offset_minutes: number): Fields => ({
  id,
  type: 'wait',
  anchor,
  offset_minutes,
});

export const lasting = (id: string, duration_minutes: number): Fields => ({
  id,
  type: 'wait',
  duration_minutes,
});

/** A live workflow that only waits, once after another, for whoever registers for the webinar or for any. */
export const waitingWorkflow = (
  org: TestOrg,
  webinar: string | null,
  ...waits: readonly Fields[]
): Promise<string> => liveWorkflow(org, inLine(onRegistration(webinar), ...waits));

/** Registers so many people, and lets their runs go as far as they get by now. Answers the people. */
export async function newRegistrants(
  world: World,
  org: TestOrg,
  webinar: string,
  count: number,
): Promise<string[]> {
  const people: string[] = [];
  for (let n = 0; n < count; n++) {
    const { org_user_id } = await registerFor(org, webinar, { email: `${randomUUID()}@example.com` });
    people.push(org_user_id);
  }
  await ringClock(world, org, webinar);
  return people;
}

/** Rings a clock as the engine does, until nothing of it is due. */
export async function ringClock(world: World, org: TestOrg, clock: string): Promise<void> {
  const { database, config } = world;
  const parts = {
    database,
    clock: world.clock,
    keys: keyring(config),
    mail: mailSettings(config),
    stopping: new AbortController().signal,
  };
  const alarm = { org_id: org.id, clock_id: clock, at: world.clock.now(), holder: randomUUID() };
  let rung = await ring(parts, alarm);
  while (rung.outcome === 'more') rung = await ring(parts, alarm);
}

/** Sets the organization's clock, and rings one of its clocks. */
export async function goTo(world: World, org: TestOrg, now: string, clock: string): Promise<void> {
  const { status, body } = await org.rest('POST /v1/test-clock', { now });
  if (status !== 200) throw new Error(`move_test_clock answered ${status}: ${JSON.stringify(body)}`);
  await ringClock(world, org, clock);
}

export interface WaitRow {
  readonly person_id: string;
  readonly workflow_id: string;
  readonly node: string;
  readonly held: boolean;
  /** When it ends as the rows stand, reckoned here by itself. */
  readonly due: string;
}

/** The waits of a clock, the earliest first. */
export async function waitsOf({ admin }: World, clock: string): Promise<WaitRow[]> {
  const { rows } = await admin.query<Omit<WaitRow, 'due'> & { due: Date }>(
    `select w.person_id, w.workflow_id, w.node, w.held,
       coalesce(w.due_at, t.start_time + make_interval(secs => w.offset_ms / 1000.0
         + case w.anchor when 'end' then coalesce(t.duration_minutes, 60) * 60 else 0 end)) as due
     from waits w left join webinars t on t.org_id = w.org_id and t.id = w.clock_id
     where w.clock_id = $1 order by due, w.run_id`,
    [clock],
  );
  return rows.map((row) => ({ ...row, due: row.due.toISOString() }));
}

/** What a clock is set to: a moment, 'never', or nothing when there is none. */
export async function setTo({ admin }: World, clock: string): Promise<string | undefined> {
  const { rows } = await admin.query<{ next_at: Date | number }>(
    'select next_at from wait_clocks where id = $1',
    [clock],
  );
  const at = rows[0]?.next_at;
  return at instanceof Date ? at.toISOString() : at === undefined ? undefined : 'never';
}

export interface PathStep {
  readonly node: string;
  readonly at: string;
  readonly did: string;
}

/** Where the runs of a webinar have been, by person and workflow. */
export async function pathsOf(
  { admin }: World,
  webinar: string,
): Promise<
  { person_id: string; workflow_id: string; state: string; outcome: string | null; path: PathStep[] }[]
> {
  const { rows } = await admin.query(
    `select person_id, workflow_id, state, outcome, path from workflow_runs where webinar_id = $1 order by id`,
    [webinar],
  );
  return rows;
}

/** The step a run took at a node. */
export const stepAt = (path: readonly PathStep[], node: string): PathStep | undefined =>
  path.find((step) => step.node === node);

export async function reschedule(org: TestOrg, webinar_id: string, start_time: string): Promise<number> {
  const { status, body } = await org.rest('POST /v1/webinars/reschedule', { webinar_id, start_time });
  if (status !== 200) throw new Error(`reschedule_webinar answered ${status}: ${JSON.stringify(body)}`);
  return body.recomputed;
}

export const readWebinar = async (org: TestOrg, id: string): Promise<Json> =>
  (await org.rest(`GET /v1/webinars/${id}`)).body.webinar;
