import { expect, test } from 'vitest';

import { newSender } from '../support/sender-row.ts';
import { advanceClock, receiversOf, useSending } from '../support/sending.ts';
import { newSendingOrg } from '../support/reader-rows.ts';
import { liveWorkflow } from '../support/workflow.ts';
import { deeds, email, end, quiet, register, runsOf, webinarIn } from './course.ts';

const sending = useSending();

async function arranged() {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const sender = await newSender(world, org);
  const webinar = await webinarIn(org, 48);
  const subject = `reminder ${webinar.id}`;
  const workflow = await liveWorkflow(org, {
    trigger: { type: 'webinar_registration', next: 'day' },
    nodes: [
      { id: 'day', type: 'wait', anchor: 'start', offset_minutes: -1440, next: 'reminder' },
      email('reminder', subject, sender, 'end'),
      end,
    ],
  });
  const pass = async () => {
    await advanceClock(org, 25 * 3600);
    await quiet(world, org);
  };
  return { world, mail, org, sender, webinar, workflow, subject, pass };
}

test('a person who is deleted takes their runs and waits along, and the count of a reschedule is less', async () => {
  const { world, mail, org, webinar, workflow, subject, pass } = await arranged();
  const gone = await register(org, webinar.id);
  const stays = await register(org, webinar.id);
  await quiet(world, org);
  expect((await org.rest(`DELETE /v1/people/${gone.person}`)).status).toBe(200);
  expect(await runsOf(world, workflow)).toHaveLength(1);
  const { body } = await org.rest('POST /v1/webinars/reschedule', {
    webinar_id: webinar.id,
    start_time: new Date(Date.parse(webinar.start_time) + 60_000).toISOString(),
  });
  expect(body).toEqual({ recomputed: 1 });
  await pass();
  expect(receiversOf(mail, subject)).toEqual([stays.email]);
});

test('two who are merged while both wait go on as one, who gets one reminder', async () => {
  const { world, mail, org, webinar, workflow, subject, pass } = await arranged();
  const first = await register(org, webinar.id, { user_id: `u-${webinar.id}` });
  const second = await register(org, webinar.id);
  await quiet(world, org);
  await org.rest('POST /v1/people/identify', { external_user_id: `u-${webinar.id}`, email: second.email });
  await pass();
  expect(receiversOf(mail, subject)).toHaveLength(1);
  const runs = await runsOf(world, workflow);
  expect(runs.map(({ outcome }) => outcome)).toEqual(['completed', 'merged']);
  expect(new Set(runs.map(({ person_id }) => person_id))).toEqual(new Set([first.person]));
});

test('of two who are merged the run that began earlier goes on, also when the other one registered earlier', async () => {
  const { world, mail, org, webinar, workflow, subject, pass } = await arranged();
  await register(org, webinar.id, { user_id: `u-${webinar.id}` });
  const second = await register(org, webinar.id);
  await quiet(world, org);
  await world.admin.query(
    `update workflow_runs set started_at = started_at - interval '1 day' where person_id = '${second.person}'`,
  );
  const merged = await org.rest('POST /v1/people/identify', {
    external_user_id: `u-${webinar.id}`,
    email: second.email,
  });
  expect(merged.status).toBe(200);
  await pass();
  expect(receiversOf(mail, subject)).toHaveLength(1);
  const runs = await runsOf(world, workflow);
  expect(new Set(runs.map(({ outcome }) => outcome))).toEqual(new Set(['completed', 'merged']));
});

test('one who is merged into somebody who is not registered goes on as them', async () => {
  const { world, mail, org, webinar, workflow, subject, pass } = await arranged();
  const survivor = await org.person({ external_user_id: `s-${webinar.id}` });
  const merged = await register(org, webinar.id);
  await quiet(world, org);
  await org.rest('POST /v1/people/identify', { external_user_id: `s-${webinar.id}`, email: merged.email });
  await pass();
  expect(receiversOf(mail, subject)).toEqual([merged.email]);
  const [run] = await runsOf(world, workflow);
  expect(run).toMatchObject({ person_id: survivor, outcome: 'completed' });
  expect(deeds(run)).toEqual(['day waited', 'reminder added', 'end ended']);
});

test('nobody who opted out is written to, and their run goes on', async () => {
  const { world, mail, org, webinar, workflow, subject, pass } = await arranged();
  const { person } = await register(org, webinar.id);
  await quiet(world, org);
  expect((await org.rest(`PATCH /v1/people/${person}/opt-outs`, { email_opt_out: true })).status).toBe(200);
  await pass();
  expect(receiversOf(mail, subject)).toEqual([]);
  expect((await runsOf(world, workflow))[0].outcome).toBe('completed');
  const { rows } = await world.admin.query('select state, reason from deliveries where org_id = $1', [
    org.id,
  ]);
  expect(rows).toEqual([{ state: 'skipped', reason: 'opted_out' }]);
});

test('runs of a webinar that is canceled end there, and nobody is reminded of it', async () => {
  const { world, mail, org, webinar, workflow, subject, pass } = await arranged();
  const other = await webinarIn(org, 48);
  await register(org, webinar.id);
  const elsewhere = await register(org, other.id);
  await quiet(world, org);
  expect((await org.rest(`POST /v1/webinars/${webinar.id}/cancel`, {})).status).toBe(200);
  await quiet(world, org);
  const ended = (await runsOf(world, workflow)).filter(({ webinar_id }) => webinar_id === webinar.id);
  expect(ended).toMatchObject([{ state: 'ended', outcome: 'webinar_canceled' }]);
  await pass();
  expect(receiversOf(mail, subject)).toEqual([elsewhere.email]);
});
