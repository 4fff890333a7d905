import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { clockOf } from '../support/sending.ts';
import type { TestOrg } from '../support/test-org.ts';
import { createWebinar, registerFor } from '../support/webinar.ts';
import type { World } from '../support/world.ts';

// Answers are looked into by tests, not typed twice.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;
type Fields = Readonly<Record<string, unknown>>;

export const hour = 3_600_000;

/** A node that sends an email with a subject of its own. */
export const email = (id: string, subject: string, sender_id: string, next: string, more: Fields = {}) => ({
  id,
  type: 'send_email',
  subject,
  html: `<p>${subject}</p>`,
  sender_id,
  next,
  ...more,
});

export const end = { id: 'end', type: 'end' };

/** A webinar so many hours from now by the organization's clock. */
export const webinarIn = async (org: TestOrg, hours: number, fields: Fields = {}): Promise<Json> =>
  createWebinar(org, {
    start_time: new Date((await clockOf(org)) + hours * hour).toISOString(),
    duration_minutes: 60,
    ...fields,
  });

export interface Registered {
  readonly email: string;
  readonly person: string;
  readonly registration: string;
}

export async function register(org: TestOrg, webinar_id: string, fields: Fields = {}): Promise<Registered> {
  const address = (fields['email'] as string | undefined) ?? `r-${randomUUID().slice(0, 12)}@example.com`;
  const body = await registerFor(org, webinar_id, { email: address, ...fields });
  return { email: address, person: body.org_user_id, registration: body.registration_id };
}

/** The runs of a workflow, with their paths. */
export async function runsOf({ admin }: World, workflow: string): Promise<Json[]> {
  const { rows } = await admin.query(
    `select r.*, w.node, w.held, w.due_at, w.offset_ms from workflow_runs r
     left join waits w on w.org_id = r.org_id and w.run_id = r.id
     where r.workflow_id = $1 order by r.started_at, r.id`,
    [workflow],
  );
  return rows;
}

/** What a run did, as `node did` words. */
export const deeds = (run: Json): string[] => run.path.map(({ node, did }: Json) => `${node} ${did}`);

/** Waits until nothing of an organization is due any more: no clock rings, nothing is told or handed over. */
export async function quiet(world: World, org: TestOrg, timeout = 60_000): Promise<void> {
  const isBusy = async () => {
    const now = new Date(await clockOf(org));
    const { rows } = await world.admin.query<{ busy: boolean }>(
      `select exists (select 1 from outbox where org_id = $1)
        or exists (select 1 from wait_clocks where org_id = $1 and (next_at <= $2 or busy_by is not null))
        or exists (select 1 from deliveries where org_id = $1
          and (state = 'sending' or (state = 'pending' and due_at <= $2)))
        as busy`,
      [org.id, now],
    );
    return rows[0]?.busy;
  };
  await expect.poll(isBusy, { timeout, interval: 50 }).toBe(false);
}
