import { describe, expect, test } from 'vitest';
import { newWebinar } from '../support/broadcast.ts';
import { registerFor } from '../support/webinar.ts';
import {
  inLine,
  liveWorkflow,
  newWorkflow,
  onRegistration,
  publish,
  readWorkflow,
  emailNode,
} from '../support/workflow.ts';
import { useWorld } from '../support/world.ts';
import { create, faces, turn, update, type Json } from './graph-ways.ts';

const world = useWorld();
const hour = { id: 'hour', type: 'wait', duration_minutes: 60 };

test('a workflow reads back as it was sent, over either face', async () => {
  const org = await world().newOrg();
  const graph = inLine(onRegistration(), hour, await emailNode(world(), org, 'hello'));
  for (const face of faces) {
    const { status, body } = await create[face](org, { name: '  Welcome  ', graph });
    expect(status).toBe(face === 'rest' ? 201 : 200);
    expect(body.workflow).toMatchObject({
      name: 'Welcome',
      status: 'draft',
      live_version: null,
      revision: 1,
      has_unpublished_changes: true,
      problems: [],
    });
    const { id } = body.workflow;
    const read = await readWorkflow(org, id);
    expect(read).toMatchObject({ ...body.workflow, graph, counts: { running: 0, ended: 0 }, nodes: [] });
    expect((await org.tool('get_workflow', { workflow_id: id })).body.workflow).toEqual(read);
  }
});

describe('a change of the draft', () => {
  test('replaces the graph as a whole and leaves the name, or the other way round', async () => {
    const org = await world().newOrg();
    for (const face of faces) {
      const { id } = await newWorkflow(org, inLine(onRegistration(), hour), 'First');
      const renamed = await update[face](org, id, { name: 'Second' });
      expect(renamed.body.workflow).toMatchObject({ name: 'Second', revision: 2 });
      const changed = await update[face](org, id, { graph: inLine(onRegistration()) });
      expect(changed.body.workflow).toMatchObject({ name: 'Second', revision: 3 });
      expect((await readWorkflow(org, id)).graph.nodes).toEqual([{ id: 'done', type: 'end' }]);
      expect((await update[face](org, id, {})).status).toBe(400);
    }
  });

  test('that changes nothing is none', async () => {
    const org = await world().newOrg();
    const graph = inLine(onRegistration(), hour, await emailNode(world(), org, 'hello'));
    const made = await newWorkflow(org, graph);
    const { status, body } = await update.rest(org, made.id, { name: made.name, graph });
    expect({ status, workflow: body.workflow }).toEqual({ status: 200, workflow: made });
  });

  test('is refused when somebody else was faster and the caller asked for that', async () => {
    const org = await world().newOrg();
    for (const face of faces) {
      const { id, revision } = await newWorkflow(org, inLine(onRegistration()));
      expect((await update[face](org, id, { name: 'Mine', revision })).status).toBe(200);
      const late = await update[face](org, id, { name: 'Theirs', revision });
      expect(late).toMatchObject({ status: 409, body: { code: 'workflow_changed' } });
      const unseen = await turn('publish')[face](org, id, { revision });
      expect(unseen).toMatchObject({ status: 409, body: { code: 'workflow_changed' } });
      expect(await readWorkflow(org, id)).toMatchObject({ name: 'Mine', status: 'draft', revision: 2 });
      expect((await update[face](org, id, { name: 'Theirs' })).status).toBe(200);
    }
  });

  test('of two at once with one revision, one is refused', async () => {
    const org = await world().newOrg();
    const { id, revision } = await newWorkflow(org, inLine(onRegistration()));
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => update.rest(org, id, { name: `Number ${n}`, revision })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409, 409, 409, 409,
    ]);
  });
});

describe('pausing and resuming', () => {
  test('WFL-005 a workflow that is a draft or paused enrolls nobody; published or resumed, it does', async () => {
    const org = await world().newOrg();
    const webinar = await newWebinar(world(), org);
    const { id } = await newWorkflow(org, inLine(onRegistration(), hour));
    const runs = async () => (await org.rest(`GET /v1/workflows/${id}/runs`)).body.total as number;
    let registered = 0;
    const more = async (): Promise<number> => {
      await registerFor(org, webinar, { email: `r${registered++}@example.com` });
      return runs();
    };
    expect(await more()).toBe(0);
    await publish(org, id);
    expect(await more()).toBe(1);
    expect((await turn('pause').rest(org, id)).body.workflow.status).toBe('paused');
    expect(await more()).toBe(1);
    expect((await turn('resume').tool(org, id)).body.workflow.status).toBe('live');
    expect(await more()).toBe(2);
    expect((await turn('pause').tool(org, id)).body.workflow.status).toBe('paused');
    expect(await more()).toBe(2);
    expect((await turn('resume').rest(org, id)).body.workflow.status).toBe('live');
    expect(await more()).toBe(3);
  });

  test('twice changes nothing more, and a draft has neither', async () => {
    const org = await world().newOrg();
    const draft = await newWorkflow(org, inLine(onRegistration()));
    const id = await liveWorkflow(org, inLine(onRegistration()));
    for (const face of faces) {
      for (const verb of ['pause', 'resume'] as const) {
        expect(await turn(verb)[face](org, draft.id)).toMatchObject({
          status: 409,
          body: { code: 'not_published' },
        });
        const first = await turn(verb)[face](org, id);
        expect(first.status).toBe(200);
        const { status, body } = await turn(verb)[face](org, id);
        expect({ status, body }).toEqual({ status: 200, body: first.body });
      }
    }
    const { rows } = await world().admin.query(
      'select operation from audit_log where org_id = $1 order by at',
      [org.id],
    );
    const written = rows.map(({ operation }) => operation).filter((one) => /^(pause|resume)/.test(one));
    expect(written).toEqual(['pause_workflow', 'resume_workflow', 'pause_workflow', 'resume_workflow']);
  });

  test('what was held goes on: nothing is held any more, and every clock of it is told', async () => {
    const org = await world().newOrg();
    const id = await liveWorkflow(org, inLine(onRegistration(), hour));
    const webinars = [await newWebinar(world(), org), await newWebinar(world(), org)];
    for (const webinar of webinars) await registerFor(org, webinar, { email: 'ann@example.com' });
    await turn('pause').rest(org, id);
    // As a release leaves them that came upon a pause.
    const { admin } = world();
    await admin.query('update waits set held = true where org_id = $1', [org.id]);
    await admin.query(`update wait_clocks set next_at = 'infinity' where org_id = $1`, [org.id]);
    await admin.query('delete from outbox where org_id = $1', [org.id]);
    await turn('resume').rest(org, id);
    const { rows } = await admin.query(
      `select w.held, c.next_at = w.due_at as set, (select count(*)::int from outbox o
         where o.org_id = c.org_id and o.payload->>'clock_id' = c.id::text) as told
       from waits w join wait_clocks c on c.org_id = w.org_id and c.id = w.clock_id where w.org_id = $1`,
      [org.id],
    );
    expect(rows).toEqual(webinars.map(() => ({ held: false, set: true, told: 1 })));
    const resumed = await admin.query('select resumed_at is not null as is from workflows where id = $1', [
      id,
    ]);
    expect(resumed.rows).toEqual([{ is: true }]);
  });

  test('a pause waits for whoever is releasing, and a release for a pause', async () => {
    const org = await world().newOrg();
    const id = await liveWorkflow(org, inLine(onRegistration(), hour));
    const { admin } = world();
    await admin.query('begin');
    await admin.query('select 1 from workflows where id = $1 for share', [id]);
    let isPaused = false;
    const pausing = turn('pause')
      .rest(org, id)
      .then((answer) => {
        isPaused = true;
        return answer;
      });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(isPaused).toBe(false);
    await admin.query('commit');
    expect((await pausing).body.workflow.status).toBe('paused');
  });
});

test('workflows are listed newest first, without graphs, by state, with totals', async () => {
  const org = await world().newOrg();
  const ids: string[] = [];
  for (let n = 0; n < 5; n++)
    ids.unshift((await newWorkflow(org, inLine(onRegistration()), `Number ${n}`)).id);
  await publish(org, ids[0]!);
  await publish(org, ids[1]!);
  await turn('pause').rest(org, ids[1]!);
  const listed = async (query: string) => (await org.rest(`GET /v1/workflows?${query}`)).body as Json;
  const all = await listed('limit=2&offset=1');
  expect(all).toMatchObject({ total: 5, limit: 2, offset: 1 });
  expect(all.workflows.map(({ id }: Json) => id)).toEqual(ids.slice(1, 3));
  expect(Object.keys(all.workflows[0]).toSorted()).toEqual(
    ['created_at', 'id', 'live_version', 'name', 'revision', 'status', 'updated_at'].toSorted(),
  );
  for (const [status, found] of [
    ['live', [ids[0]]],
    ['paused', [ids[1]]],
    ['draft', ids.slice(2)],
  ] as const) {
    for (const body of [
      await listed(`status=${status}`),
      (await org.tool('list_workflows', { status })).body,
    ]) {
      expect(body.workflows.map(({ id }: Json) => id)).toEqual(found);
      expect(body.total).toBe(found.length);
    }
  }
  for (const query of ['limit=0', 'limit=201', 'offset=-1', 'status=gone'])
    expect((await org.rest(`GET /v1/workflows?${query}`)).status).toBe(400);
});

test('what publishing would change is told node by node, with how many wait there', async () => {
  const org = await world().newOrg();
  const workflow = await liveWorkflow(
    org,
    inLine(onRegistration(), hour, { id: 'more', type: 'wait', duration_minutes: 5 }),
  );
  const changes = async () => (await org.rest(`GET /v1/workflows/${workflow}/changes`)).body;
  expect(await changes()).toEqual({ workflow_id: workflow, revision: 2, live_version: 1, changes: [] });
  const webinar = await newWebinar(world(), org);
  await registerFor(org, webinar, { email: 'ada@example.com' });
  const trigger = { ...onRegistration(webinar), next: 'hour' };
  const nodes = [
    { ...hour, duration_minutes: 90, next: 'who' },
    { id: 'who', type: 'attendance_split', attended: 'done' },
    { id: 'done', type: 'end' },
  ];
  await org.rest(`PATCH /v1/workflows/${workflow}`, { graph: { trigger, nodes } });
  expect((await changes()).changes).toEqual([
    { id: 'trigger', change: 'changed', waiting: 1 },
    { id: 'hour', change: 'changed', waiting: 0 },
    { id: 'who', change: 'added', waiting: 0 },
    { id: 'more', change: 'removed', waiting: 0 },
  ]);
  const { id } = await newWorkflow(org, inLine(onRegistration(), hour));
  expect((await org.rest(`GET /v1/workflows/${id}/changes`)).body).toMatchObject({
    live_version: null,
    changes: [],
  });
});
