import { expect, test } from 'vitest';
import { holdSent } from '../../src/domain/broadcasts/draft/broadcast-rows.ts';
import { readRun } from '../../src/domain/broadcasts/sending/run.ts';
import { sendWindow } from '../../src/domain/broadcasts/sending/send-window.ts';
import type { Provider } from '../../src/domain/delivery/outgoing/outgoing.ts';
import type { BroadcastId } from '../../src/kernel/ids.ts';
import { auditOf } from '../support/audit.ts';
import { newDraft } from '../support/broadcast.ts';
import { inService } from '../support/in-service.ts';
import { runParts } from '../support/lane.ts';
import { outcomesOf } from '../support/ledger.ts';
import { contentsOf } from '../support/org-contents.ts';

import { newSendingOrg } from '../support/reader-rows.ts';
import { createWebinar, registerFor, timelineOf } from '../support/webinar.ts';
import { inLine, liveWorkflow, onEvent, onRegistration, emailNode } from '../support/workflow.ts';
import { useWorld } from '../support/world.ts';
import { anchored, newRegistrants, pathsOf, ringClock, waitingWorkflow, waitsOf } from './waiting.ts';

const world = useWorld();
const route = 'POST /v1/webinars/unregister';
const email = 'ann@example.com';

test('whoever is unregistered is on no list and in no audience, their runs end, and their timeline knows', async () => {
  const org = await world().newOrg();
  const { id: webinar_id, title } = await createWebinar(org);
  await waitingWorkflow(org, webinar_id, anchored('w', 'start', -60));
  await liveWorkflow(org, inLine(onEvent('$svc_webinar_registration'), anchored('w', 'start', -60)));
  const [other] = await newRegistrants(world(), org, webinar_id, 1);
  const { registration_id, org_user_id } = await registerFor(org, webinar_id, { email });
  await ringClock(world(), org, webinar_id);
  expect(await waitsOf(world(), webinar_id)).toHaveLength(4);

  const { status, body } = await org.rest(route, { webinar_id, email: 'Ann@Example.com' });
  expect([status, body]).toEqual([200, { success: true, registration_id, org_user_id, ended_runs: 2 }]);
  const { body: list } = await org.rest(`GET /v1/webinars/${webinar_id}/registrations`);
  expect(list).toMatchObject({ registrations: [{ person_id: other }], total: 1 });
  const { id } = await newDraft(org, { audience: 'webinar', webinar_id });
  const planned = (await org.rest(`POST /v1/broadcasts/${id}/plan`, {})).body;
  expect(planned.audience.recipients).toBe(1);
  expect((await waitsOf(world(), webinar_id)).map(({ person_id }) => person_id)).toEqual([other, other]);
  const runs = (await pathsOf(world(), webinar_id)).filter(({ person_id }) => person_id === org_user_id);
  expect(runs.map(({ state, outcome }) => [state, outcome])).toEqual([
    ['ended', 'unregistered'],
    ['ended', 'unregistered'],
  ]);
  const [left, came] = await timelineOf(org, org_user_id);
  expect(came.event_name).toBe('$svc_webinar_registration');
  expect(left).toMatchObject({
    event_name: '$svc_webinar_unregistration',
    custom_properties: { webinar_id, webinar_title: title, registration_id, attended: null },
  });
  expect(await auditOf(world(), org, 'unregister_from_webinar')).toEqual([
    { ids: { person_id: org_user_id, webinar_id, registration_id }, reason: null, actor_id: org.keyId },
  ]);
});

test('REG-005 somebody may register again, which is a new registration and enrolls anew', async () => {
  const org = await world().newOrg();
  const { id: webinar_id } = await createWebinar(org);
  await waitingWorkflow(org, null, anchored('w', 'start', -60));
  const first = await registerFor(org, webinar_id, { user_id: 'u-1', email });
  expect((await org.rest(route, { webinar_id, user_id: 'u-1' })).status).toBe(200);
  const again = await registerFor(org, webinar_id, { email });
  expect(again).toMatchObject({ org_user_id: first.org_user_id, already_registered: false });
  expect(again.registration_id).not.toBe(first.registration_id);
  expect(await waitsOf(world(), webinar_id)).toHaveLength(1);
  const byId = await org.rest(route, { webinar_id, person_id: again.org_user_id });
  expect(byId.body.registration_id).toBe(again.registration_id);
});

test('a message that is in the ledger already is left out when its turn comes', async () => {
  const org = await newSendingOrg(world());
  const { id: webinar_id } = await createWebinar(org);
  const workflow = await liveWorkflow(
    org,
    inLine(onRegistration(webinar_id), await emailNode(world(), org, 'welcome')),
  );
  const [stays, leaves] = await newRegistrants(world(), org, webinar_id, 2);
  expect((await org.rest(route, { webinar_id, person_id: leaves })).body.ended_runs).toBe(0);
  const { rows } = await world().admin.query('select id from broadcasts where workflow_id = $1', [workflow]);
  const broadcast = rows[0].id as BroadcastId;
  const handed: string[] = [];
  const list: Provider<{ to: string }> = {
    name: 'a list',
    close: async () => undefined,
    send: async ({ to }) => {
      handed.push(to);
      return { outcome: 'sent', reply: '250 ok' };
    },
  };
  const parts = runParts(world(), { email: list });
  const read = await inService(world(), org, async (work) =>
    readRun(work, await holdSent(work, broadcast), parts.providers),
  );
  if (read === undefined || 'problem' in read) throw new Error(read?.problem);
  await sendWindow(parts, { org_id: org.id, lane: { broadcast, number: 0 } }, 1, read.run);
  expect(await outcomesOf(world(), broadcast)).toEqual({ sent: 1, 'skipped left_audience': 1 });
  const { body } = await org.rest(`GET /v1/people/${stays}`);
  expect(handed).toEqual([body.person.primary_email]);
});

test('whoever is not registered, or called in no way or two, is refused and nothing changes', async () => {
  const org = await world().newOrg();
  const { id: webinar_id } = await createWebinar(org);
  const person_id = await org.person({ email });
  const before = await contentsOf(world().admin, org);
  for (const who of [{ email }, { person_id }, { user_id: 'nobody' }])
    expect(await org.rest(route, { webinar_id, ...who })).toMatchObject({
      status: 404,
      body: { code: 'registration_not_found' },
    });
  for (const who of [{}, { person_id, email }])
    expect((await org.rest(route, { webinar_id, ...who })).status).toBe(400);
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('unregistering needs webinars.write, and another organization finds neither webinar nor person', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  const { id: webinar_id } = await createWebinar(org);
  const { org_user_id: person_id } = await registerFor(org, webinar_id, { email });
  const reader = await world().newKey(org, ['webinars.read', 'people.write']);
  expect((await reader.rest(route, { webinar_id, person_id })).status).toBe(403);
  expect((await other.rest(route, { webinar_id, person_id })).status).toBe(404);
  const theirs = await createWebinar(other);
  const crossed = await other.rest(route, { webinar_id: theirs.id, person_id });
  expect(crossed).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect((await org.rest(`GET /v1/webinars/${webinar_id}/registrations`)).body.total).toBe(1);
});

test('registering and unregistering at once leave one registration with its run, or none with none', async () => {
  const org = await world().newOrg();
  const { id: webinar_id } = await createWebinar(org);
  await waitingWorkflow(org, null, anchored('w', 'start', -60));
  await registerFor(org, webinar_id, { email });
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      n % 2 === 0
        ? org.rest(route, { webinar_id, email })
        : org.rest('POST /v1/webinars/register', { webinar_id, user: { email } }),
    ),
  );
  for (const { status } of answers) expect([200, 404]).toContain(status);
  const { total } = (await org.rest(`GET /v1/webinars/${webinar_id}/registrations`)).body;
  expect(await waitsOf(world(), webinar_id)).toHaveLength(total);
});
