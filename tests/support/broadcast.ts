import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { newSender } from './sender-row.ts';
import type { TestOrg } from './test-org.ts';
import type { World } from './world.ts';

// Answers are looked into by tests, not typed twice.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;
type Fields = Readonly<Record<string, unknown>>;

export const inHours = (hours: number, from = new Date()): string =>
  new Date(from.getTime() + hours * 3_600_000).toISOString();

/** Noon in UTC, a day ahead or a little more: no hour at which texts are warned about. */
export const atNoon = (): string => `${inHours(36).slice(0, 10)}T12:00:00.000Z`;

export async function setVerified({ admin }: World, sender: string, verified: boolean): Promise<void> {
  await admin.query(
    // Checked a little later than now, so that no check that is under way changes it.
    `update sending_domains d set verified_at = case when $2 then now() end, checked_at = now() + interval '1 minute',
       next_check_at = now() + interval '1 year'
     from senders s where s.id = $1 and d.org_id = s.org_id and d.id = s.domain_id`,
    [sender, verified],
  );
}

export async function setLayout(org: TestOrg, fields: Fields = {}): Promise<void> {
  const layout = { company_name: 'Example', postal_address: '1 Main Street, Springfield', ...fields };
  const { status, body } = await org.rest('PUT /v1/email-layout', layout);
  if (status !== 200) throw new Error(`update_email_layout answered ${JSON.stringify(body)}`);
}

/** A webinar as the webinar operations will make it. */
export async function newWebinar(
  { admin }: World,
  org: TestOrg,
  fields: {
    start_time?: string;
    status?: string;
    duration_minutes?: number | null;
    join_url?: string | null;
    title?: string;
    timezone?: string | null;
  } = {},
): Promise<string> {
  const id = randomUUID();
  const { title = 'Getting started', start_time = inHours(48), status = 'scheduled' } = fields;
  await admin.query(
    `insert into webinars (org_id, id, title, start_time, status, duration_minutes, join_url, timezone, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, now())`,
    [
      org.id,
      id,
      title,
      start_time,
      status,
      fields.duration_minutes ?? null,
      fields.join_url ?? null,
      fields.timezone ?? null,
    ],
  );
  return id;
}

export async function setWebinar({ admin }: World, webinar: string, fields: Fields): Promise<void> {
  const columns = Object.keys(fields).map((column, at) => `${column} = $${at + 2}`);
  const { rowCount } = await admin.query(`update webinars set ${columns.join(', ')} where id = $1`, [
    webinar,
    ...Object.values(fields),
  ]);
  expect(rowCount).toBe(1);
}

export async function register(
  { admin }: World,
  org: TestOrg,
  webinar: string,
  person: string,
  { attended = false, join_url = null }: { attended?: boolean; join_url?: string | null } = {},
): Promise<void> {
  await admin.query(
    `insert into registrations (org_id, id, webinar_id, person_id, registered_at, attended, join_url)
     values ($1, gen_random_uuid(), $2, $3, now(), $4, $5)`,
    [org.id, webinar, person, attended, join_url],
  );
}

/** Drafts a broadcast over REST and answers it. */
export async function newDraft(org: TestOrg, fields: Fields): Promise<Json> {
  const { status, body } = await org.rest('POST /v1/broadcasts', fields);
  if (status !== 201) throw new Error(`create_broadcast answered ${status}: ${JSON.stringify(body)}`);
  return body.broadcast;
}

/** A draft email that nothing keeps from being scheduled, and somebody who would get it. */
export async function readyDraft(world: World, org: TestOrg, fields: Fields = {}): Promise<Json> {
  await setLayout(org);
  await org.person({ email: `reader-${randomUUID().slice(0, 8)}@example.com`, first_name: 'Rita' });
  const sender = 'sender_id' in fields ? {} : { sender_id: await newSender(world, org) };
  return newDraft(org, {
    audience: 'everyone',
    subject: 'Hello',
    html: '<p>Hello there</p>',
    ...sender,
    ...fields,
  });
}

export async function plan(org: TestOrg, id: string, send_at: string | null = inHours(24)): Promise<Json> {
  const { status, body } = await org.rest(`POST /v1/broadcasts/${id}/plan`, {
    ...(send_at !== null && { send_at }),
  });
  if (status !== 200) throw new Error(`plan_broadcast answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

export const codesOf = (planned: Json, level?: 'error' | 'warning'): string[] =>
  planned.checks
    .filter((check: Json) => level === undefined || check.level === level)
    .map(({ code }: Json) => code);

/** Plans and schedules a draft, and answers what scheduling answered. */
export async function schedule(org: TestOrg, id: string, send_at?: string | null): Promise<Json> {
  const { plan_token } = await plan(org, id, send_at);
  const { status, body } = await org.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token });
  if (status !== 200) throw new Error(`schedule_broadcast answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
