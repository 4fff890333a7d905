import { describe, expect, test } from 'vitest';
import { permissions } from '../../../src/kernel/caller.ts';
import { inHours, readyDraft } from '../../support/broadcast.ts';
import { contentsOf } from '../../support/org-contents.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { faces } from './schedule-ways.ts';

const world = useWorld();

async function setTwoKeys(org: TestOrg, two_key_sending: boolean): Promise<void> {
  const { status, body } = await org.rest('PATCH /v1/settings', { two_key_sending });
  expect([status, body.settings.two_key_sending]).toEqual([200, two_key_sending]);
}

/** An organization that sends with two keys, both of them, and a draft. */
async function twoKeys() {
  const planner = await world().newOrg();
  const other = await world().newKey(planner, ['broadcasts.read', 'broadcasts.schedule']);
  await setTwoKeys(planner, true);
  const { id } = await readyDraft(world(), planner);
  return { planner, other, id: id as string };
}

describe.each(faces)('over $face', ({ plan, schedule, unschedule }) => {
  test('SCH-001 SCH-021 the key that planned may not schedule, another of the organization may', async () => {
    const { planner, other, id } = await twoKeys();
    const { plan_token } = (await plan(planner, id, { send_at: inHours(24) })).body;
    const before = await contentsOf(world().admin, planner);
    const refused = await schedule(planner, id, { plan_token });
    expect([refused.status, refused.body.code]).toEqual([403, 'second_key_needed']);
    expect(await contentsOf(world().admin, planner)).toEqual(before);
    const { status, body } = await schedule(other, id, { plan_token });
    expect(status).toBe(200);
    expect(body.broadcast).toMatchObject({
      status: 'scheduled',
      created_by: { kind: 'api_key', id: planner.keyId },
      planned_by: { kind: 'api_key', id: planner.keyId },
      scheduled_by: { kind: 'api_key', id: other.keyId },
    });
    const read = await planner.rest(`GET /v1/broadcasts/${id}`);
    expect(read.body.broadcast).toEqual(body.broadcast);
    // Whoever sees a mistake may stop it alone.
    expect((await unschedule(planner, id)).status).toBe(200);
  });

  test('SCH-001 once it is off again, one key suffices', async () => {
    const { planner, id } = await twoKeys();
    const { plan_token } = (await plan(planner, id, { send_at: inHours(24) })).body;
    await setTwoKeys(planner, false);
    const { status, body } = await schedule(planner, id, { plan_token });
    expect(status).toBe(200);
    expect(body.broadcast.planned_by).toEqual(body.broadcast.scheduled_by);
  });

  test('SCH-021 it counts when it was turned on after the plan', async () => {
    const { planner, id } = await twoKeys();
    await setTwoKeys(planner, false);
    const { plan_token } = (await plan(planner, id, { send_at: inHours(24) })).body;
    await setTwoKeys(planner, true);
    expect((await schedule(planner, id, { plan_token })).body.code).toBe('second_key_needed');
  });
});

test('SCH-021 the same key over another face is the same key', async () => {
  const [overRest, asTool] = faces;
  const { planner, id } = await twoKeys();
  for (const [planning, scheduling] of [
    [overRest!, asTool!],
    [asTool!, overRest!],
  ] as const) {
    const { plan_token } = (await planning.plan(planner, id, { send_at: inHours(24) })).body;
    const { status, body } = await scheduling.schedule(planner, id, { plan_token });
    expect([status, body.code]).toEqual([403, 'second_key_needed']);
  }
});

test('SCH-012 the second key is told of drift as well, and needs the permission to schedule', async () => {
  const { planner, other, id } = await twoKeys();
  const [{ plan, schedule }] = faces as [(typeof faces)[number]];
  const { plan_token } = (await plan(planner, id, { send_at: inHours(24) })).body;
  const reader = await world().newKey(
    planner,
    permissions.filter((permission) => permission !== 'broadcasts.schedule'),
  );
  const forbidden = await schedule(reader, id, { plan_token });
  expect([forbidden.status, forbidden.body.code]).toEqual([403, 'forbidden']);
  await planner.rest(`PATCH /v1/broadcasts/${id}`, { subject: 'Goodbye' });
  const stale = await schedule(other, id, { plan_token });
  expect([stale.status, stale.body.code]).toEqual([409, 'plan_stale']);
});
