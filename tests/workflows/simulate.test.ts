import { expect, test } from 'vitest';

import { newSender } from '../support/sender-row.ts';
import { advanceClock, clockOf, useSending } from '../support/sending.ts';
import { newSendingOrg } from '../support/reader-rows.ts';
import type { TestOrg } from '../support/test-org.ts';
import { liveWorkflow, newWorkflow } from '../support/workflow.ts';
import { deeds, email, end, hour, quiet, register, runsOf, webinarIn } from './course.ts';

const sending = useSending();

async function arranged() {
  const { world } = sending();
  const org = await newSendingOrg(world);
  const sender = await newSender(world, org);
  const webinar = await webinarIn(org, 48);
  const graph = {
    trigger: { type: 'webinar_registration', webinar_id: webinar.id, next: 'confirm' },
    nodes: [
      email('confirm', 'Confirmed', sender, 'day'),
      { id: 'day', type: 'wait', anchor: 'start', offset_minutes: -1440, next: 'reminder', past: 'over' },
      email('reminder', 'Tomorrow', sender, 'over'),
      { id: 'over', type: 'wait', anchor: 'end', offset_minutes: 30, next: 'split' },
      { id: 'split', type: 'attendance_split', attended: 'thanks', no_show: 'missed' },
      email('thanks', 'Thanks', sender, 'end'),
      email('missed', 'Missed', sender, 'end'),
      end,
    ],
  };
  return { world, org, webinar, graph, start: Date.parse(webinar.start_time) };
}

const simulate = async (org: TestOrg, workflow: string, fields: object) => {
  const { status, body } = await org.rest(`POST /v1/workflows/${workflow}/simulate`, fields);
  expect([status, body.detail]).toEqual([200, undefined]);
  return body;
};

test('a dry run of one person says every step and its moment, and is what then happens', async () => {
  const { world, org, webinar, graph, start } = await arranged();
  const workflow = await liveWorkflow(org, graph);
  const person_id = await org.person({ email: `dry-${webinar.id}@example.com` });
  const told = await simulate(org, workflow, { webinar_id: webinar.id, person_id, version: 'live' });
  expect(
    told.messages.map(({ node, first_at }: Record<string, string>) => [node, first_at]).slice(1),
  ).toEqual([
    ['reminder', new Date(start - 24 * hour).toISOString()],
    ['missed', new Date(start + 1.5 * hour).toISOString()],
  ]);
  await register(org, webinar.id, { email: `dry-${webinar.id}@example.com` });
  await quiet(world, org);
  await advanceClock(org, 72 * 3600);
  await quiet(world, org);
  const [run] = await runsOf(world, workflow);
  expect(told.steps.map(({ node, did }: Record<string, string>) => `${node} ${did}`)).toEqual(deeds(run));
  expect(told.steps.slice(1).map(({ at }: { at: string }) => at)).toEqual(
    run.path.slice(1).map(({ at }: { at: string }) => at),
  );
  const { body } = await org.rest(`GET /v1/workflow-runs/${run.id}/messages`);
  expect(
    body.messages.map(({ node, subject, outcome }: Record<string, string>) => [node, subject, outcome]),
  ).toEqual([
    ['confirm', 'Confirmed', 'sent'],
    ['reminder', 'Tomorrow', 'sent'],
    ['missed', 'Missed', 'sent'],
  ]);
  expect(body.messages[0].summary).toContain('It was handed over');
});

test('a dry run of all registrants counts who would get what, and who would be left out why', async () => {
  const { world, org, webinar, graph } = await arranged();
  const { id } = await newWorkflow(org, graph); // a draft: nobody is enrolled
  const [came] = [await register(org, webinar.id), await register(org, webinar.id)];
  const out = await register(org, webinar.id);
  await org.rest(`PATCH /v1/people/${out.person}/opt-outs`, { email_opt_out: true });
  await org.rest('POST /v1/webinars/attendance', { webinar_id: webinar.id, email: came!.email });
  await register(org, webinar.id, { email: undefined, phone: '+15550100777' });
  const told = await simulate(org, id, { webinar_id: webinar.id });
  expect(told).toMatchObject({ people: 4, steps: [], under_way: 0, complete: true });
  const counts = Object.fromEntries(
    told.messages.map(({ node, people, reachable }: Record<string, unknown>) => [node, [people, reachable]]),
  );
  expect(counts).toEqual({ confirm: [4, 2], reminder: [4, 2], thanks: [1, 1], missed: [3, 1] });
  expect(told.messages[0].excluded).toEqual([
    { reason: 'opted_out', count: 1 },
    { reason: 'no_address', count: 1 },
  ]);
  const supposed = await simulate(org, id, { webinar_id: webinar.id, attended: false });
  expect(supposed.messages.map(({ node }: { node: string }) => node)).toEqual([
    'confirm',
    'reminder',
    'missed',
  ]);
  expect(await runsOf(world, id)).toEqual([]);
});

test('a dry run may suppose another start of the webinar, and somebody who is not there', async () => {
  const { org, webinar, graph, start } = await arranged();
  const { id } = await newWorkflow(org, graph);
  const asked = { webinar_id: webinar.id, made_up: true };
  const moments = ({ steps }: { steps: { node: string; at: string }[] }) =>
    steps.flatMap(({ node, at }) => (['day', 'over'].includes(node) ? [Date.parse(at) - start] : []));
  expect(moments(await simulate(org, id, asked))).toEqual([-24 * hour, 1.5 * hour]);
  const webinar_starts_at = new Date(start + 48 * hour).toISOString();
  const moved = await simulate(org, id, { ...asked, webinar_starts_at });
  expect(moments(moved)).toEqual([24 * hour, 49.5 * hour]);
  expect(moved).toMatchObject({
    people: 1,
    messages: [{ reachable: 1 }, { reachable: 1 }, { node: 'missed' }],
  });
  const came = await simulate(org, id, { ...asked, attended: true });
  expect(came.messages.at(-1).node).toBe('thanks');
  const person_id = await org.person({ email: `both-${webinar.id}@example.com` });
  for (const wrong of [
    { ...asked, person_id },
    { person_id, webinar_starts_at },
  ])
    expect((await org.rest(`POST /v1/workflows/${id}/simulate`, wrong)).status).toBe(400);
});

test('a dry run writes nothing, whatever is asked', async () => {
  const { world, org, webinar, graph } = await arranged();
  const { id } = await newWorkflow(org, graph);
  const { person } = await register(org, webinar.id);
  await quiet(world, org);
  const contents = async () => {
    const tables = ['workflow_runs', 'waits', 'deliveries', 'broadcasts', 'outbox', 'events', 'audit_log'];
    const counts = tables.map((table) => `(select count(*) from ${table} where org_id = $1) as ${table}`);
    return (await world.admin.query(`select ${counts.join(', ')}`, [org.id])).rows[0];
  };
  const before = await contents();
  await simulate(org, id, { webinar_id: webinar.id });
  await simulate(org, id, { webinar_id: webinar.id, person_id: person });
  const { isError } = await org.tool('simulate_workflow', { workflow_id: id, webinar_id: webinar.id });
  expect(isError).toBe(false);
  expect(await contents()).toEqual(before);
});

test('somebody who would register late goes past what is over, and a workflow that goes round is broken off', async () => {
  const { org, webinar, graph, start } = await arranged();
  const { id } = await newWorkflow(org, graph);
  const person_id = await org.person({ email: `late-${webinar.id}@example.com` });
  const late = new Date(start - hour).toISOString();
  const told = await simulate(org, id, { webinar_id: webinar.id, person_id, start_at: late });
  expect(told.steps[1]).toMatchObject({ node: 'day', did: 'past', at: late });
  const round = await newWorkflow(org, {
    trigger: { type: 'event', event_name: 'signed_up', next: 'week' },
    nodes: [
      { id: 'week', type: 'wait', duration_minutes: 10_080, next: 'ask' },
      {
        id: 'ask',
        type: 'condition_split',
        filters: [{ property: 'first_name', op: 'is_empty' }],
        yes: 'week',
        no: 'end',
      },
      end,
    ],
  });
  const going = await simulate(org, round.id, { person_id });
  expect(going.under_way).toBe(1);
  const last = Date.parse(going.steps.at(-1).at);
  expect(last).toBeLessThanOrEqual((await clockOf(org)) + 366 * 24 * hour);
});

test('what cannot be simulated is refused with what to do', async () => {
  const { org, webinar, graph } = await arranged();
  const { id } = await newWorkflow(org, { trigger: { type: 'event', event_name: 'signed_up' }, nodes: [] });
  const draft = await org.rest(`POST /v1/workflows/${id}/simulate`, { webinar_id: webinar.id });
  expect([draft.status, draft.body.code]).toEqual([400, 'workflow_incomplete']);
  const live = await org.rest(`POST /v1/workflows/${id}/simulate`, {
    webinar_id: webinar.id,
    version: 'live',
  });
  expect([live.status, live.body.code]).toEqual([409, 'not_published']);
  const whole = await newWorkflow(org, graph);
  const nowhere = await org.rest(`POST /v1/workflows/${whole.id}/simulate`, {});
  expect([nowhere.status, nowhere.body.code]).toEqual([400, 'invalid_request']);
});
