import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { contentsOf } from '../support/org-contents.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const email = 'ann@example.com';

const send = async (org: TestOrg, body: unknown) => {
  const answer = await org.rest('POST /v1/events', body);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
};

const refuses = async (org: TestOrg, body: unknown, status = 400, code = 'invalid_request') => {
  const before = await contentsOf(world().admin, org);
  const answer = await org.rest('POST /v1/events', body);
  expect({ sent: body, status: answer.status, code: answer.body.code }).toEqual({ sent: body, status, code });
  expect(await contentsOf(world().admin, org)).toEqual(before);
  return answer.body;
};

test('EVT-010 no caller can produce an event whose name begins with the reserved prefix, nor one that looks like it', async () => {
  const org = await world().newOrg();
  await org.person({ email });
  for (const event_name of [
    '$svc_webinar_registration',
    '$svc_',
    '$SVC_anything',
    ' $svc_anything',
    '\u00a0$svc_anything',
    '＄svc_anything',
    '$svc＿anything',
  ]) {
    const single = await refuses(org, { event_name, email });
    expect(single.errors).toMatchObject([{ pointer: '/event_name' }]);
    const batch = await refuses(org, {
      events: [
        { event_name: 'fine', email },
        { event_name, email },
      ],
    });
    expect(batch.errors).toMatchObject([{ pointer: '/events/1/event_name' }]);
  }
  // Not the prefix: these are names like any other.
  for (const event_name of ['svc_x', 'my$svc_x', '$svcx', '$']) await send(org, { event_name, email });
});

test('all or none: one event that is refused leaves the others out, too', async () => {
  const org = await world().newOrg();
  const person = await org.person({ email });
  const fine = { event_name: 'bought', email };
  const loser = await org.person({ phone: '+15550100' });
  await org.person({ email, phone: '+15550100' });
  for (const wrong of [
    {},
    { event_name: 'bought' },
    { email },
    { event_name: '', email },
    { event_name: 'x'.repeat(201), email },
    { event_name: 'bought', email: 'ann' },
    { event_name: 'bought', email, person_id: person },
    { event_name: 'bought', email, first_name: 'Ann' },
    { event_name: 'bought', email, occurred_at: 'yesterday' },
    { event_name: 'bought', email, occurred_at: '2026-01-31T12:00:00' },
    { event_name: 'bought', email, occurred_at: '0000-01-01T00:00:00Z' },
    { event_name: 'bought', email, occurred_at: new Date(Date.now() + 25 * 3_600_000).toISOString() },
    { event_name: 'bought', email, event_id: '' },
    { event_name: 'bought', email, custom_properties: 'none' },
    { event_name: 'bought', email, custom_properties: { deep: [[[[[[1]]]]]] } },
    { event_name: 'bought', email, custom_properties: { long: 'x'.repeat(16_384) } },
  ]) {
    await refuses(org, wrong);
    await refuses(org, { events: [fine, wrong] });
  }
  for (const body of [
    {},
    { events: [] },
    { events: fine },
    { events: [fine], ...fine },
    { events: [fine], email },
    { events: Array.from({ length: 501 }, () => fine) },
  ]) {
    await refuses(org, body);
  }
  await refuses(org, { events: [fine, { event_name: 'bought', person_id: randomUUID() }] }, 404, 'not_found');
  const merged = await refuses(org, { event_name: 'bought', person_id: loser }, 404, 'not_found');
  expect(merged.merged_into).toBe(person);
});

test('an event up to a day ahead is taken: clocks differ', async () => {
  const org = await world().newOrg();
  const occurred_at = new Date(Date.now() + 23 * 3_600_000).toISOString();
  expect(await send(org, { event_name: 'bought', email, occurred_at })).toMatchObject({ recorded: 1 });
});
