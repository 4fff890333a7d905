import { expect, test } from 'vitest';
import { addDelivery, newSending } from '../support/arrange-ledger.ts';
import { createWebinar, registerFor } from '../support/webinar.ts';
import { emailNode, inLine, liveWorkflow, onRegistration } from '../support/workflow.ts';
import { useWorld } from '../support/world.ts';
import { ringClock } from '../webinars/waiting.ts';

const world = useWorld();
const email = 'ann@example.com';

test("a person's registrations are listed newest first with their webinars, by pages", async () => {
  const org = await world().newOrg();
  const [first, second] = [
    await createWebinar(org, { title: 'One' }),
    await createWebinar(org, { title: 'Two' }),
  ];
  const { org_user_id, registration_id } = await registerFor(org, first.id, { email });
  await registerFor(org, second.id, { email });
  await registerFor(org, second.id, { email: 'other@example.com' });
  await org.rest('POST /v1/webinars/attendance', { webinar_id: first.id, email });
  await org.rest(`POST /v1/webinars/${second.id}/cancel`, {});
  const route = `GET /v1/people/${org_user_id}/registrations`;
  const { body } = await org.rest(route);
  expect(body).toMatchObject({ total: 2, limit: 50, offset: 0 });
  expect(body.registrations).toMatchObject([
    { attended: false, webinar: { id: second.id, title: 'Two', status: 'canceled' } },
    {
      registration_id,
      person_id: org_user_id,
      attended: true,
      attendance_source: 'api',
      webinar: { id: first.id, title: 'One', status: 'scheduled', start_time: first.start_time },
    },
  ]);
  const page = (await org.rest(`${route}?limit=1&offset=1`)).body;
  expect(page).toMatchObject({ total: 2, registrations: [body.registrations[1]] });
});

test('what was sent to a person is listed, of broadcasts and of workflows, with what became of it', async () => {
  const org = await world().newOrg();
  const { id: webinar_id } = await createWebinar(org);
  const hello = await emailNode(world(), org, 'hello', { subject: 'Welcome' });
  const workflow_id = await liveWorkflow(org, inLine(onRegistration(), hello));
  const { org_user_id: person } = await registerFor(org, webinar_id, { email });
  await ringClock(world(), org, webinar_id);
  const started_at = new Date();
  const broadcast_id = await newSending(
    world(),
    org,
    { started_at },
    { audience: 'everyone', subject: 'News' },
  );
  const opened_at = '2026-03-02T10:00:00.000Z';
  const sent = { state: 'sent', sent_at: '2026-03-02T09:00:00.000Z', opened_at, address: email };
  await addDelivery(world(), org, broadcast_id, person, sent);
  const other = await newSending(world(), org, { started_at }, { audience: 'everyone', subject: 'More' });
  await addDelivery(world(), org, other, person, { state: 'skipped', reason: 'opted_out' });
  await addDelivery(world(), org, other, await org.person({ email: 'other@example.com' }), {});
  const route = `GET /v1/people/${person}/deliveries`;
  const { body } = await org.rest(route);
  expect(body.total).toBe(3);
  expect(body.deliveries).toMatchObject([
    { broadcast_id: other, subject: 'More', outcome: 'skipped', reason: 'opted_out', address: null },
    { broadcast_id, workflow_id: null, subject: 'News', outcome: 'sent', opened_at, address: email },
    {
      broadcast_id: null,
      workflow_id,
      node: 'hello',
      webinar_id,
      channel: 'email',
      subject: 'Welcome',
      outcome: 'pending',
    },
  ]);
  const page = (await org.rest(`${route}?limit=1&offset=2`)).body;
  expect(page.deliveries).toEqual([body.deliveries[2]]);
});

test('both need people.read, and find nobody of another organization', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  const person = await org.person({ email });
  const blind = await world().newKey(org, ['webinars.read', 'broadcasts.read', 'people.write']);
  for (const what of ['registrations', 'deliveries']) {
    const route = `GET /v1/people/${person}/${what}`;
    expect((await org.rest(route)).body).toEqual({ [what]: [], total: 0, limit: 50, offset: 0 });
    expect((await blind.rest(route)).status).toBe(403);
    expect((await other.rest(route)).body.code).toBe('not_found');
  }
});
