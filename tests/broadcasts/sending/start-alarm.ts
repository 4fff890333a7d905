import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Database } from '../../../src/database/pool.ts';
import { beginSending, type StartDelivery } from '../../../src/domain/broadcasts/sending/begin-sending.ts';
import { plan, readyDraft } from '../../support/broadcast.ts';
import type { TestOrg } from '../../support/test-org.ts';
import type { World } from '../../support/world.ts';

/** A scheduled broadcast, and a way to ring its alarm so much after its time. */
export async function newAlarm(world: World, org: TestOrg) {
  const { id } = await readyDraft(world, org);
  const { plan_token, delivery } = await plan(org, id);
  const scheduled = await org.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token });
  expect(scheduled.status).toBe(200);
  const sendAt = Date.parse(delivery.send_at);
  const ring = (afterMs: number, deliver: StartDelivery | undefined, revision = 2) =>
    beginSending(
      world.database,
      { org_id: org.id, broadcast_id: id, revision },
      new Date(sendAt + afterMs),
      deliver,
    );
  const read = async () => (await org.rest(`GET /v1/broadcasts/${id}`)).body.broadcast;
  return { id: id as string, sendAt, ring, read };
}

/** A delivery that counts its calls and leaves a row, in whatever transaction it is handed. */
export function countingDelivery() {
  const calls: { db: Database; revision: number; now: Date }[] = [];
  const deliver: StartDelivery = async (db, { org_id, broadcast_id, revision }, now) => {
    calls.push({ db, revision, now });
    const payload = sql`jsonb_build_object('broadcast_id', ${broadcast_id}::text)`;
    await sql`insert into outbox (org_id, service, handler, payload, created_at)
      values (${org_id}, 'Delivery', 'start', ${payload}, ${now})`.execute(db);
  };
  return { calls, deliver };
}
