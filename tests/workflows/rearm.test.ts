import { expect, test } from 'vitest';
import { rearm, sweep } from '../../src/durable/sweep.ts';
import { clockOf, restartEngine, useSending } from '../support/sending.ts';
import { newSendingOrg } from '../support/reader-rows.ts';
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
  const due = Date.parse(webinar.start_time) - 24 * 3_600_000;
  await restartEngine(world, { empty: true });
  // Four seconds to go, by the organization's clock. Whoever moves it in earnest tells the engine.
  await world.admin.query('update organizations set clock_ahead_ms = $2 where id = $1', [
    org.id,
    due - 4_000 - Date.now(),
  ]);
  expect(await rearm(world.database, new Date())).toBeGreaterThan(0);
  expect(await state()).toBe('running');
  await expect.poll(state, { timeout: 60_000, interval: 100 }).toBe('ended');
  // In time: the sweep takes up what is due for half a minute.
  const late = (await clockOf(org)) - due;
  expect(late).toBeGreaterThanOrEqual(0);
  expect(late).toBeLessThan(20_000);
});

test('the sweep rings a clock that nobody rang, and leaves one alone that is being released', async () => {
  const { world, org, webinar, state } = await arranged();
  // Down, so that whatever it is told stays where that can be counted, whoever told it: the world sweeps, too.
  await world.restate!.stop('SIGKILL');
  const told = async () => {
    await sweep(world.database, new Date());
    const query = `select 1 from outbox where org_id = $1 and payload ->> 'clock_id' = $2`;
    return (await world.admin.query(query, [org.id, webinar.id])).rowCount;
  };
  const lease = (until: string) =>
    world.admin.query(`update wait_clocks set busy_by = 'somebody', busy_until = ${until} where id = $1`, [
      webinar.id,
    ]);
  await lease("now() + interval '10 minutes'");
  await world.admin.query(
    'update webinars set start_time = start_time - interval $$25 hours$$ where id = $1',
    [webinar.id],
  );
  const late = new Date(Date.now() - 120_000);
  await world.admin.query('update wait_clocks set next_at = $2 where id = $1', [webinar.id, late]);
  expect(await told()).toBe(0);
  await lease("now() - interval '1 second'"); // it died
  expect(await told()).toBe(1);
  expect(await told()).toBe(1); // it waits in the outbox
  expect(await state()).toBe('running');
  await restartEngine(world, { empty: true });
  await quiet(world, org);
  expect(await state()).toBe('ended');
});
