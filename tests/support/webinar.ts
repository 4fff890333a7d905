import { randomUUID } from 'node:crypto';
import { inHours } from './broadcast.ts';
import type { TestOrg } from './test-org.ts';
import type { World } from './world.ts';

// Answers are looked into by tests, not typed twice.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;
type Fields = Readonly<Record<string, unknown>>;

/** Creates a webinar over REST and answers it. In two days, unless told otherwise. */
export async function createWebinar(org: TestOrg, fields: Fields = {}): Promise<Json> {
  const webinar = { title: 'Getting started', start_time: inHours(48), ...fields };
  const { status, body } = await org.rest('POST /v1/webinars', { webinar });
  if (status !== 201) throw new Error(`create_webinar answered ${status}: ${JSON.stringify(body)}`);
  return body.webinar;
}

/** Registers somebody over REST and answers what that answered. */
export async function registerFor(org: TestOrg, webinar_id: string, user: Fields): Promise<Json> {
  const { status, body } = await org.rest('POST /v1/webinars/register', { webinar_id, user });
  if (status !== 200) throw new Error(`register_for_webinar answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

export type TriggeredBy =
  | { readonly type: 'webinar_registration'; readonly webinar_id: string | null }
  | { readonly type: 'event'; readonly event_name: string };

/** A workflow that only ends, put there by hand: what begins runs reads its row alone. */
export async function arrangeWorkflow(
  { admin }: World,
  org: TestOrg,
  trigger: TriggeredBy,
  status: 'draft' | 'live' | 'paused' = 'live',
): Promise<string> {
  const id = randomUUID();
  const graph = { trigger: { ...trigger, next: 'done' }, nodes: { done: { type: 'end' } } };
  await admin.query(
    `insert into workflows (org_id, id, name, status, graph, live_version, trigger_kind, trigger_webinar_id,
       trigger_event, created_at, updated_at)
     values ($1, $2, 'Arranged', $3, $4, $5, $6, $7, $8, now(), now())`,
    [
      org.id,
      id,
      status,
      { trigger, nodes: [{ id: 'done', type: 'end' }] },
      status === 'draft' ? null : 1,
      trigger.type,
      trigger.type === 'webinar_registration' ? trigger.webinar_id : null,
      trigger.type === 'event' ? trigger.event_name : null,
    ],
  );
  if (status !== 'draft') {
    await admin.query(
      `insert into workflow_versions (org_id, workflow_id, version, graph, drawn, published_at)
       values ($1, $2, 1, $3, $4, now())`,
      [org.id, id, graph, { trigger: graph.trigger, nodes: [{ id: 'done', type: 'end' }] }],
    );
  }
  return id;
}

export interface RunRow {
  readonly workflow_id: string;
  readonly person_id: string;
  readonly webinar_id: string | null;
  readonly registration_id: string | null;
  readonly event_id: string | null;
  readonly version: number;
}

/** The runs of an organization, oldest first. */
export async function runsOf({ admin }: World, org: TestOrg): Promise<RunRow[]> {
  const { rows } = await admin.query<RunRow>(
    `select workflow_id, person_id, webinar_id, registration_id, event_id, version::int from workflow_runs
     where org_id = $1 order by id`,
    [org.id],
  );
  return rows;
}

/** A person's timeline, newest first; all of it or the events of one name. */
export async function timelineOf(org: TestOrg, person: string, name?: string): Promise<Json[]> {
  const query = name === undefined ? '' : `?event_name=${encodeURIComponent(name)}`;
  const { status, body } = await org.rest(`GET /v1/people/${person}/events${query}`);
  if (status !== 200) throw new Error(`list_person_events answered ${status}: ${JSON.stringify(body)}`);
  return body.events;
}

/** How many rows of a table an organization has. */
export async function countOf({ admin }: World, org: TestOrg, table: string): Promise<number> {
  const { rows } = await admin.query<{ n: number }>(
    `select count(*)::int as n from ${table} where org_id = $1`,
    [org.id],
  );
  return rows[0]!.n;
}
