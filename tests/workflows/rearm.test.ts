import { expect, test } from 'vitest';
import { rearm, sweep } from '../../src/durable/sweep.ts';
import { advanceClock, clockOf, newSendingOrg, restartEngine, useSending } from '../support/sending.ts';
import { inLine, liveWorkflow, onRegistration } from '../support/workflow.ts';
import { quiet, register, runsOf, webinarIn } from './course.ts';

const sending = useSending();
const soon = { id: 'soon', type: 'wait', anchor: 'start', offset_minutes: -1440 };

async function arranged() {
  const { world } = sending();
  const org = await newSendingOrg(world);
  const webinar = await webinarIn(org, 48);
  const workflow = await liveWorkflow(org, inLine(onRegistration(webinar.id), soon));
  await register(org, webinar.id);
  await quiet(world, org);
  const state = async () => (await runsOf(world, workflow))[0].state;
  return { world, org, webinar, state };
}

test('an engine that lost everything is told by rearm of alarms that are still to ring, and rings them in time', async () => {
  const { world, org, webinar, state } = await arranged();
  // Six seconds to go, by the organization's clock: the alarm is in the engine alone.
  const due = Date.parse(webinar.start_time) - 24 * 3_600_000;
  await advanceClock(org, (due - (await clockOf(org))) / 1000 - 6);
  await quiet(world, org);
  await restartEngine(world, { empty: true });
  expect(await rearm(world.database, new Date())).toBeGreaterThan(0);
  await expect.poll(state, { timeout: 12_000, interval: 100 }).toBe('ended');
  const late = (await clockOf(org)) - due;
  expect(late).toBeLessThan(5_000);
});

test('the sweep rings a clock that nobody rang, and leaves one alone that is being released', async () => {
  const { world, org, webinar, state } = await arranged();
  await restartEngine(world, { empty: true });
  await world.admin.query(
    'update webinars set start_time = start_time - interval $$25 hours$$ where id = $1',
    [webinar.id],
  );
  const late = new Date(Date.now() - 120_000);
  await world.admin.query('update wait_clocks set next_at = $2 where id = $1', [webinar.id, late]);
  const lease = (until: string) =>
    world.admin.query(`update wait_clocks set busy_by = 'somebody', busy_until = ${until} where id = $1`, [
      webinar.id,
    ]);
  await lease("now() + interval '1 minute'");
  expect((await sweep(world.database, new Date())).rearmed).toBe(0);
  expect(await state()).toBe('running');
  await lease("now() - interval '1 second'"); // it died
  expect((await sweep(world.database, new Date())).rearmed).toBe(1);
  expect((await sweep(world.database, new Date())).rearmed).toBe(0); // it waits in the outbox
  await quiet(world, org);
  expect(await state()).toBe('ended');
});
