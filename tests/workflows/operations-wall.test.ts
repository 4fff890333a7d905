import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { newWebinar } from '../support/broadcast.ts';
import { checksums } from '../support/furnish.ts';
import type { TestOrg } from '../support/test-org.ts';
import { registerFor } from '../support/webinar.ts';
import { inLine, liveWorkflow, onRegistration } from '../support/workflow.ts';
import { useWorld } from '../support/world.ts';
import { settle } from '../isolation/furnished-orgs.ts';

const world = useWorld();
let ours: TestOrg;
let theirs: TestOrg;
let workflow: string;
let run: string;

beforeAll(async () => {
  [ours, theirs] = [await world().newOrg(), await world().newOrg()];
  workflow = await liveWorkflow(
    theirs,
    inLine(onRegistration(), { id: 'w', type: 'wait', duration_minutes: 60 }),
    'Secret',
  );
  await registerFor(theirs, await newWebinar(world(), theirs), { email: 'ann@example.com' });
  run = (await theirs.rest(`GET /v1/workflows/${workflow}/runs`)).body.runs[0].id;
  await settle(world(), ours, theirs);
});

const graph = inLine(onRegistration());
const calls: [string, (org: TestOrg, id: string) => Promise<{ body: object }>][] = [
  ['get_workflow', (org, workflow_id) => org.tool('get_workflow', { workflow_id })],
  ['GET', (org, id) => org.rest(`GET /v1/workflows/${id}`)],
  ['GET changes', (org, id) => org.rest(`GET /v1/workflows/${id}/changes`)],
  ['update_workflow', (org, workflow_id) => org.tool('update_workflow', { workflow_id, name: 'Ours' })],
  ['PATCH', (org, id) => org.rest(`PATCH /v1/workflows/${id}`, { graph })],
  ['publish_workflow', (org, workflow_id) => org.tool('publish_workflow', { workflow_id })],
  ['POST publish', (org, id) => org.rest(`POST /v1/workflows/${id}/publish`, {})],
  ['pause_workflow', (org, workflow_id) => org.tool('pause_workflow', { workflow_id })],
  ['POST pause', (org, id) => org.rest(`POST /v1/workflows/${id}/pause`, {})],
  ['resume_workflow', (org, workflow_id) => org.tool('resume_workflow', { workflow_id })],
  ['POST resume', (org, id) => org.rest(`POST /v1/workflows/${id}/resume`, {})],
  ['list_workflow_runs', (org, workflow_id) => org.tool('list_workflow_runs', { workflow_id })],
  ['GET runs', (org, id) => org.rest(`GET /v1/workflows/${id}/runs?state=running`)],
];

test.each(calls)('TEN-001 %s finds no workflow of another organization', async (_, call) => {
  const before = await checksums(world().admin);
  for (const id of [workflow, randomUUID()]) {
    expect((await call(ours, id)).body).toMatchObject({
      status: 404,
      code: 'not_found',
      detail: 'No workflow with this id exists in this organization.',
    });
  }
  expect(await checksums(world().admin)).toEqual(before);
});

test('TEN-001 a run of another organization is not found, nor listed, nor its person or webinar', async () => {
  for (const id of [run, randomUUID()]) {
    for (const { body } of [
      await ours.rest(`GET /v1/workflow-runs/${id}`),
      await ours.tool('get_workflow_run', { run_id: id }),
    ]) {
      expect(body).toMatchObject({
        status: 404,
        detail: 'No workflow run with this id exists in this organization.',
      });
    }
  }
  const own = await liveWorkflow(ours, graph);
  const { person_id, webinar_id } = (await theirs.rest(`GET /v1/workflow-runs/${run}`)).body.run;
  expect((await ours.rest(`GET /v1/workflows/${own}/runs`)).body).toMatchObject({ runs: [], total: 0 });
  for (const query of [`person_id=${person_id}`, `webinar_id=${webinar_id}`])
    expect((await ours.rest(`GET /v1/workflows/${own}/runs?${query}`)).status).toBe(404);
});

test('TEN-001 workflows are listed for their own organization alone, total included', async () => {
  const org = await world().newOrg();
  const own = await liveWorkflow(org, graph, 'Our own');
  for (const { body } of [await org.rest('GET /v1/workflows'), await org.tool('list_workflows')]) {
    expect(body).toMatchObject({ total: 1, workflows: [{ id: own, name: 'Our own' }] });
    expect(JSON.stringify(body)).not.toContain('Secret');
  }
});
