import { expect, test } from 'vitest';
import { newWebinar } from '../support/broadcast.ts';
import { registerFor } from '../support/webinar.ts';
import { inLine, liveWorkflow, newWorkflow, onEvent, onRegistration, publish } from '../support/workflow.ts';
import { useWorld } from '../support/world.ts';
import type { Json } from './graph-ways.ts';

const world = useWorld();

const wait = (id: string, minutes: number) => ({ id, type: 'wait', duration_minutes: minutes });

test('a survey says how each draft stands, what triggers it and how many runs it has', async () => {
  const org = await world().newOrg();
  const webinar = await newWebinar(world(), org);
  const reminders = await liveWorkflow(org, inLine(onRegistration(webinar), wait('w', 60)), 'Reminders');
  const { id: idea } = await newWorkflow(org, undefined, 'An idea');
  const { id: welcome } = await newWorkflow(org, inLine(onEvent('signed_up'), wait('w', 5)), 'Welcome');
  for (const name of ['a', 'b']) await registerFor(org, webinar, { email: `${name}@example.com` });
  const survey = async (query = ''): Promise<Json[]> =>
    (await org.rest(`GET /v1/workflow-survey${query}`)).body.workflows;
  expect(await survey()).toMatchObject([
    { id: welcome, problems: 0, counts: { running: 0, ended: 0 }, trigger: { event_name: 'signed_up' } },
    {
      id: idea,
      problems: 1,
      published_at: null,
      has_unpublished_changes: true,
      trigger: { webinar_id: null },
    },
    {
      id: reminders,
      problems: 0,
      has_unpublished_changes: false,
      counts: { running: 2, ended: 0 },
      trigger: { type: 'webinar_registration', webinar_id: webinar, event_name: null },
    },
  ]);
  expect((await survey())[2].trigger.webinar_title).toEqual(expect.any(String));
  const graph = inLine(onRegistration(webinar), wait('w', 90));
  expect((await org.rest(`PATCH /v1/workflows/${reminders}`, { graph })).status).toBe(200);
  const named = async (query: string) => (await survey(query)).map(({ name }) => name);
  expect(await named('?has_unpublished_changes=true&status=live')).toEqual(['Reminders']);
  await publish(org, reminders);
  expect(await named('?has_unpublished_changes=true&status=live')).toEqual([]);
  expect(await named('?query=REMIND')).toEqual(['Reminders']);
  expect(await named('?query=%25')).toEqual([]);
});

test('a version is drawn as it was published, whatever the draft became', async () => {
  const org = await world().newOrg();
  const graph = inLine(onEvent('signed_up'), wait('w', 5));
  const id = await liveWorkflow(org, graph);
  await org.rest(`PATCH /v1/workflows/${id}`, { graph: inLine(onEvent('left'), wait('later', 9)) });
  const { status, body } = await org.rest(`GET /v1/workflows/${id}/published?version=1`);
  expect([status, body.version, body.graph]).toEqual([200, 1, graph]);
  expect((await org.rest(`GET /v1/workflows/${id}/published`)).body).toEqual(body);
  expect((await org.rest(`GET /v1/workflows/${id}/published?version=2`)).status).toBe(404);
  const { id: idea } = await newWorkflow(org);
  expect((await org.rest(`GET /v1/workflows/${idea}/published`)).body.code).toBe('not_published');
});

test('who stands at a node is listed by name, since when and until when', async () => {
  const org = await world().newOrg();
  const webinar = await newWebinar(world(), org);
  const id = await liveWorkflow(org, inLine(onRegistration(), wait('first', 60), wait('second', 60)));
  const people: string[] = [];
  for (const name of ['Ada', 'Grace', 'Mary']) {
    const user = { email: `${name}@example.com`, first_name: name };
    people.push((await registerFor(org, webinar, user)).org_user_id);
  }
  // As if the engine had let them go.
  await world().admin.query(
    "update waits set node = case person_id when $2 then 'second' else 'first' end where org_id = $1",
    [org.id, people[1]],
  );
  const list = async (query: string): Promise<Json> =>
    (await org.rest(`GET /v1/workflows/${id}/people?${query}`)).body;
  const names = ({ runs, total }: Json) => [total, ...runs.map(({ person }: Json) => person.first_name)];
  expect(names(await list('node=first'))).toEqual([2, 'Mary', 'Ada']);
  expect(names(await list('node=first&limit=1&offset=1'))).toEqual([2, 'Ada']);
  expect(names(await list(`node=first&person_id=${people[2]}`))).toEqual([1, 'Mary']);
  expect(names(await list(`node=second&webinar_id=${webinar}&state=running`))).toEqual([1, 'Grace']);
  expect(names(await list('node=second&state=ended'))).toEqual([0]);
  const [run] = (await list('node=second')).runs;
  expect(run).toMatchObject({ waiting: { node: 'second' }, since: run.started_at });
  const blind = await world().newKey(org, ['workflows.read']);
  const unnamed = (await blind.rest(`GET /v1/workflows/${id}/people?node=second`)).body.runs[0];
  expect([unnamed.person_id, unnamed.person]).toEqual([people[1], null]);
});
