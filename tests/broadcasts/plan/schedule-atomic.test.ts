import { afterEach, expect, test } from 'vitest';
import { plan, schedule, readyDraft } from '../../support/broadcast.ts';
import { contentsOf } from '../../support/org-contents.ts';
import { useWorld } from '../../support/world.ts';
import { faces, rest } from './schedule-ways.ts';

const world = useWorld();
const tables = ['outbox', 'audit_log'] as const;
afterEach(async () => {
  for (const table of tables) await world().admin.query(`grant insert on ${table} to rostrum_app`);
});

test.each(tables.flatMap((table) => faces.map((face) => ({ table, ...face }))))(
  'SCH-021 when no row of $table can be written, schedule fails over $face and all of it is undone',
  async ({ table, schedule: scheduleOver }) => {
    const org = await world().newOrg();
    const { id } = await readyDraft(world(), org);
    const { plan_token } = await plan(org, id);
    const before = await contentsOf(world().admin, org);
    await world().admin.query(`revoke insert on ${table} from rostrum_app`);
    const { status, body } = await scheduleOver(org, id, { plan_token });
    expect([status, body.code]).toEqual([500, 'internal']);
    expect(await contentsOf(world().admin, org)).toEqual(before);
    expect((await org.rest(`GET /v1/broadcasts/${id}`)).body.broadcast.status).toBe('draft');
    await world().admin.query(`grant insert on ${table} to rostrum_app`);
    // The token was not used up by the attempt.
    expect((await scheduleOver(org, id, { plan_token })).status).toBe(200);
  },
);

test('SCH-003 when no audit row can be written, unschedule, change and deletion are undone as well', async () => {
  const org = await world().newOrg();
  const [scheduled, draft] = [await readyDraft(world(), org), await readyDraft(world(), org)];
  await schedule(org, scheduled.id);
  const before = await contentsOf(world().admin, org);
  await world().admin.query('revoke insert on audit_log from rostrum_app');
  const answers = [
    await rest.unschedule(org, scheduled.id),
    await rest.update(org, draft.id, { subject: 'Goodbye' }),
    await org.rest(`DELETE /v1/broadcasts/${scheduled.id}`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([500, 500, 500]);
  expect(await contentsOf(world().admin, org)).toEqual(before);
});
