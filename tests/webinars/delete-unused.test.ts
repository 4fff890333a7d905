import { expect, test } from 'vitest';
import { auditOf } from '../support/audit.ts';
import { newDraft } from '../support/broadcast.ts';
import type { TestOrg } from '../support/test-org.ts';
import { createWebinar, registerFor } from '../support/webinar.ts';
import { inLine, liveWorkflow, newWorkflow, onRegistration, emailNode } from '../support/workflow.ts';
import { useWorld } from '../support/world.ts';
import { anchored, newRegistrants, pathsOf, ringClock, waitingWorkflow, waitsOf } from './waiting.ts';

const world = useWorld();
const email = 'ann@example.com';

const webinarRoute = (id: string) => `/v1/webinars/${id}`;
const workflowRoute = (id: string) => `/v1/workflows/${id}`;

async function refused(org: TestOrg, path: string, code: string, advice: string): Promise<void> {
  const { status, body } = await org.rest(`DELETE ${path}`);
  expect([status, body.code]).toEqual([409, code]);
  expect(body.detail).toContain(advice);
  expect((await org.rest(`GET ${path}`)).status).toBe(200);
}

test('a webinar that nothing came of is deleted for good', async () => {
  const org = await world().newOrg();
  const { id } = await createWebinar(org);
  const { status, body } = await org.rest(`DELETE ${webinarRoute(id)}`);
  expect([status, body]).toEqual([200, { deleted: true, webinar_id: id }]);
  expect((await org.rest(`GET ${webinarRoute(id)}`)).status).toBe(404);
  const late = await org.rest('POST /v1/webinars/register', { webinar_id: id, user: { email } });
  expect(late.status).toBe(404);
  expect(await auditOf(world(), org, 'delete_webinar')).toEqual([
    { ids: { webinar_id: id }, reason: null, actor_id: org.keyId },
  ]);
});

test('a webinar that people registered for, or a workflow ran for, is to be canceled instead', async () => {
  const org = await world().newOrg();
  const { id: webinar_id } = await createWebinar(org);
  await waitingWorkflow(org, null, anchored('w', 'start', -60));
  await registerFor(org, webinar_id, { email });
  await refused(org, webinarRoute(webinar_id), 'already_used', `${webinarRoute(webinar_id)}/cancel`);
  const left = await org.rest('POST /v1/webinars/unregister', { webinar_id, email });
  expect(left.status).toBe(200);
  await refused(org, webinarRoute(webinar_id), 'already_used', 'Workflows ran for it');
});

test('a webinar that a broadcast or a workflow is about says which', async () => {
  const org = await world().newOrg();
  const { id: webinar_id } = await createWebinar(org);
  const draft = await newDraft(org, { audience: 'webinar', webinar_id });
  await refused(org, webinarRoute(webinar_id), 'still_referenced', draft.id);
  await org.rest(`DELETE /v1/broadcasts/${draft.id}`);
  const { id } = await newWorkflow(org, inLine(onRegistration(webinar_id)));
  await refused(org, webinarRoute(webinar_id), 'still_referenced', id);
  expect((await org.rest(`DELETE ${workflowRoute(id)}`)).status).toBe(200);
  expect((await org.rest(`DELETE ${webinarRoute(webinar_id)}`)).status).toBe(200);
});

test('a workflow that nobody went through is deleted, draft or live, and enrolls nobody after that', async () => {
  const org = await world().newOrg();
  const { id: webinar_id } = await createWebinar(org);
  const draft = await newWorkflow(org, inLine(onRegistration()));
  const live = await liveWorkflow(org, inLine(onRegistration(), anchored('w', 'start', -60)));
  for (const id of [draft.id, live]) {
    const { status, body } = await org.rest(`DELETE ${workflowRoute(id)}`);
    expect([status, body]).toEqual([200, { deleted: true, workflow_id: id }]);
    expect((await org.rest(`GET ${workflowRoute(id)}`)).status).toBe(404);
  }
  await registerFor(org, webinar_id, { email });
  expect(await waitsOf(world(), webinar_id)).toEqual([]);
  expect((await auditOf(world(), org, 'delete_workflow')).map(({ ids }) => ids)).toEqual([
    { workflow_id: draft.id },
    { workflow_id: live },
  ]);
});

test('a workflow that somebody went through is to be paused instead, also once they are deleted', async () => {
  const org = await world().newOrg();
  const { id: webinar_id } = await createWebinar(org);
  const hello = await emailNode(world(), org, 'hello');
  const id = await liveWorkflow(org, inLine(onRegistration(), hello));
  const [person] = await newRegistrants(world(), org, webinar_id, 1);
  await refused(org, workflowRoute(id), 'already_used', `${workflowRoute(id)}/pause`);
  expect((await org.rest(`DELETE /v1/people/${person}`)).status).toBe(200);
  await refused(org, workflowRoute(id), 'already_used', `${workflowRoute(id)}/pause`);
});

test('a run that began while its workflow was being deleted ends when its clock rings', async () => {
  const org = await world().newOrg();
  const { id: webinar_id } = await createWebinar(org);
  const id = await waitingWorkflow(org, null, anchored('w', 'start', -60));
  await registerFor(org, webinar_id, { email });
  await world().admin.query('delete from workflows where id = $1', [id]);
  await ringClock(world(), org, webinar_id);
  const runs = await pathsOf(world(), webinar_id);
  expect(runs.map(({ state, outcome }) => [state, outcome])).toEqual([['ended', 'workflow_deleted']]);
  expect(await waitsOf(world(), webinar_id)).toEqual([]);
});

test('deleting needs the permission to write, and another organization finds nothing', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  const { id: webinar } = await createWebinar(org);
  const { id: workflow } = await newWorkflow(org, inLine(onRegistration()));
  const reader = await world().newKey(org, ['webinars.read', 'workflows.read', 'people.write']);
  for (const path of [webinarRoute(webinar), workflowRoute(workflow)]) {
    expect((await reader.rest(`DELETE ${path}`)).status).toBe(403);
    expect((await other.rest(`DELETE ${path}`)).body.code).toBe('not_found');
    expect((await org.rest(`GET ${path}`)).status).toBe(200);
  }
});
