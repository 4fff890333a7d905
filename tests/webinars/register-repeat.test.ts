import { expect, test } from 'vitest';
import { registerForWebinar } from '../../src/domain/webinars/registrations/register-for-webinar.ts';
import { waysTo } from '../support/call-operation.ts';
import { contentsOf } from '../support/org-contents.ts';
import { arrangeWorkflow, createWebinar, registerFor, runsOf, timelineOf } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const ways = waysTo(registerForWebinar);
const user = { user_id: 'customer-1', email: 'ann@example.com', first_name: 'Ann' };

test('REG-006 EVT-011 one person registers for several webinars: a registration and an event for each', async () => {
  const org = await world().newOrg();
  const made = [];
  for (const way of [...ways, ...ways]) {
    const { id: webinar_id } = await createWebinar(org);
    made.push((await way.call(org, { webinar_id, user })).body as Record<string, string>);
  }
  expect(new Set(made.map((one) => one['registration_id'])).size).toBe(4);
  expect(new Set(made.map((one) => one['org_user_id'])).size).toBe(1);
  const events = await timelineOf(org, made[0]!['org_user_id']!, '$svc_webinar_registration');
  expect(new Set(events.map((event) => event.custom_properties.registration_id))).toEqual(
    new Set(made.map((one) => one['registration_id'])),
  );
});

test('REG-027 REG-033 REG-041 REG-043 REG-044 a repeat answers 200 with the same ids and changes nothing at all', async () => {
  const org = await world().newOrg();
  await arrangeWorkflow(world(), org, { type: 'webinar_registration', webinar_id: null });
  await arrangeWorkflow(world(), org, { type: 'event', event_name: '$svc_webinar_registration' });
  const { id: webinar_id } = await createWebinar(org);
  const first = await registerFor(org, webinar_id, user);
  expect(first.already_registered).toBe(false);
  expect(await runsOf(world(), org)).toHaveLength(2);
  const before = await contentsOf(world().admin, org);
  const again = {
    ...user,
    first_name: 'Somebody',
    full_name: 'Somebody Else',
    phone: '+15550100',
    properties: { plan: 'pro' },
  };
  for (const way of ways) {
    for (const sent of [user, again]) {
      const { status, body } = await way.call(org, { webinar_id, user: sent });
      expect({ way: way.name, status, body }).toEqual({
        way: way.name,
        status: 200,
        body: { ...first, already_registered: true },
      });
    }
  }
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('REG-042 a repeat is told by the person, not by the identifier sent', async () => {
  const org = await world().newOrg();
  const { id } = await createWebinar(org);
  const first = await registerFor(org, id, user);
  for (const sent of [{ email: user.email }, { user_id: user.user_id }, { email: ' ANN@EXAMPLE.COM' }]) {
    expect(await registerFor(org, id, sent)).toEqual({ ...first, already_registered: true });
  }
  // And after two people turned out to be one, by whatever the other was called.
  const other = await registerFor(org, id, { phone: '+15550100' });
  expect(other.already_registered).toBe(false);
  await org.person({ email: user.email, phone: '+15550100' });
  expect(await registerFor(org, id, { phone: '+15550100' })).toEqual({ ...first, already_registered: true });
});

test('DEL-012 registrations go with a deleted person: registering again is new, with an event and runs of its own', async () => {
  const org = await world().newOrg();
  await arrangeWorkflow(world(), org, { type: 'webinar_registration', webinar_id: null });
  const { id } = await createWebinar(org);
  const first = await registerFor(org, id, user);
  expect((await org.rest(`DELETE /v1/people/${first.org_user_id}`)).status).toBe(200);
  const { body } = await org.rest(`GET /v1/webinars/${id}/registrations`);
  expect(body.total).toBe(0);
  const second = await registerFor(org, id, user);
  expect(second.already_registered).toBe(false);
  expect(second.registration_id).not.toBe(first.registration_id);
  expect(second.org_user_id).not.toBe(first.org_user_id);
  expect(await timelineOf(org, second.org_user_id, '$svc_webinar_registration')).toHaveLength(1);
  expect(await runsOf(world(), org)).toMatchObject([
    { person_id: second.org_user_id, registration_id: second.registration_id },
  ]);
});

test('the same Idempotency-Key answers as before; a repeat without one says that it is a repeat', async () => {
  const org = await world().newOrg();
  const { id: webinar_id } = await createWebinar(org);
  const keyed = () =>
    org.rest('POST /v1/webinars/register', { webinar_id, user }, { 'idempotency-key': 'one' });
  const first = await keyed();
  const replayed = await keyed();
  expect(replayed.body).toEqual(first.body);
  expect(replayed.headers.get('idempotent-replayed')).toBe('true');
  expect(await registerFor(org, webinar_id, user)).toMatchObject({ already_registered: true });
});
