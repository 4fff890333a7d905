import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { performer } from '../../src/catalogue/perform.ts';
import { recordEvents } from '../../src/domain/events/record-events.ts';
import { permissions } from '../../src/kernel/caller.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { contentsOf } from '../support/org-contents.ts';
import type { TestOrg } from '../support/test-org.ts';
import { arrangeWorkflow, countOf, createWebinar, runsOf, timelineOf } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const email = 'ann@example.com';

const send = async (org: TestOrg, body: unknown) => {
  const answer = await org.rest('POST /v1/events', body);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
};

test('one event is written onto the timeline, as it was sent', async () => {
  const org = await world().newOrg();
  const person = await org.person({ email });
  const custom_properties = { plan: 'pro', items: [1, { sku: 'Zoë' }], total: 12.5, gift: false, note: null };
  const occurred_at = '2026-01-31T12:00:00+02:00';
  expect(await send(org, { event_name: 'bought', email, custom_properties, occurred_at })).toEqual({
    recorded: 1,
    duplicates: 0,
  });
  await send(org, { event_name: 'visited', person_id: person.toUpperCase() });
  const [visited, bought] = await timelineOf(org, person);
  expect(bought).toMatchObject({
    event_name: 'bought',
    custom_properties,
    occurred_at: '2026-01-31T10:00:00.000Z',
  });
  expect(visited).toMatchObject({ event_name: 'visited', custom_properties: {} });
  expect(Math.abs(Date.parse(visited.occurred_at) - Date.now())).toBeLessThan(60_000);
});

test('people are found by user_id, email, phone and anonymous_id in this order, or created; nobody is merged', async () => {
  const org = await world().newOrg();
  const byId = await org.person({ external_user_id: 'customer-1' });
  const byEmail = await org.person({ email });
  const byPhone = await org.person({ phone: '+15550100' });
  await send(org, {
    event_name: 'one',
    anonymous_id: 'visitor-1',
    phone: '+15550100',
    email,
    user_id: 'customer-1',
  });
  await send(org, { event_name: 'two', user_id: 'nobody yet', email, phone: '+15550100' });
  await send(org, { event_name: 'three', phone: '+15550100', email: 'new@example.com' });
  await send(org, { event_name: 'four', anonymous_id: 'visitor-2' });
  expect(await countOf(world(), org, 'people')).toBe(4);
  expect(await timelineOf(org, byId)).toMatchObject([{ event_name: 'one' }]);
  expect(await timelineOf(org, byEmail)).toMatchObject([{ event_name: 'two' }]);
  expect(await timelineOf(org, byPhone)).toMatchObject([{ event_name: 'three' }]);
  const attached = async (person: string) => {
    const { body } = await org.rest(`GET /v1/people/${person}/identifiers`);
    return body.identifiers.map((one: Record<string, string>) => one['identifier_value']).toSorted();
  };
  expect(await attached(byId)).toEqual(['customer-1', 'visitor-1']);
  expect(await attached(byEmail)).toEqual([email, 'nobody yet']);
  expect(await attached(byPhone)).toEqual(['+15550100', 'new@example.com']);
  expect((await org.rest(`GET /v1/people/${byPhone}`)).body.person.primary_email).toBe('new@example.com');
});

test('in a batch the next event finds whom the one before it made or what it attached', async () => {
  const org = await world().newOrg();
  const events = [
    { event_name: 'one', email },
    { event_name: 'two', email, phone: '+15550100' },
    { event_name: 'three', phone: '+15550100', user_id: 'customer-1' },
    { event_name: 'four', user_id: 'customer-1', email: 'second@example.com' },
    { event_name: 'five', email: 'ben@example.com' },
  ];
  expect(await send(org, { events })).toEqual({ recorded: 5, duplicates: 0 });
  expect(await countOf(world(), org, 'people')).toBe(2);
  const { body } = await org.rest('GET /v1/people');
  const ann = body.people.find((one: Record<string, unknown>) => one['external_user_id'] === 'customer-1');
  expect(ann).toMatchObject({ primary_email: email, primary_phone: '+15550100' });
  const names = (await timelineOf(org, ann.id)).map(({ event_name }) => event_name);
  expect(new Set(names)).toEqual(new Set(['one', 'two', 'three', 'four']));
});

test('an event_id that was sent before is not recorded again, in a batch or later, and makes nobody', async () => {
  const org = await world().newOrg();
  const other = await world().newOrg();
  await arrangeWorkflow(world(), org, { type: 'event', event_name: 'bought' });
  const bought = { event_name: 'bought', email, event_id: 'order-1' };
  expect(
    await send(org, {
      events: [bought, { ...bought, event_name: 'other' }, { ...bought, event_id: 'order-2' }],
    }),
  ).toEqual({ recorded: 2, duplicates: 1 });
  const before = await contentsOf(world().admin, org);
  expect(await send(org, bought)).toEqual({ recorded: 0, duplicates: 1 });
  expect(await send(org, { ...bought, email: 'somebody@example.com' })).toEqual({
    recorded: 0,
    duplicates: 1,
  });
  expect(await contentsOf(world().admin, org)).toEqual(before);
  expect(await runsOf(world(), org)).toHaveLength(2);
  expect(await send(org, { events: [bought, { ...bought, event_id: 'order-3' }] })).toEqual({
    recorded: 1,
    duplicates: 1,
  });
  // Another organization's ids are its own.
  expect(await send(other, bought)).toEqual({ recorded: 1, duplicates: 0 });
});

test('the same events sent at once are recorded once, and everybody is answered', async () => {
  const org = await world().newOrg();
  await arrangeWorkflow(world(), org, { type: 'event', event_name: 'bought' });
  const events = Array.from({ length: 20 }, (_, one) => ({
    event_name: 'bought',
    email: `p${one % 7}@example.com`,
    anonymous_id: `visitor-${one}`,
    event_id: `order-${one}`,
  }));
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, turn) =>
      send(org, { events: [...events.slice(turn), ...events.slice(0, turn)] }),
    ),
  );
  expect(answers.reduce((sum, { recorded }) => sum + recorded, 0)).toBe(20);
  expect(answers.every(({ recorded, duplicates }) => recorded + duplicates === 20)).toBe(true);
  expect(await countOf(world(), org, 'events')).toBe(20);
  expect(await countOf(world(), org, 'people')).toBe(7);
  expect(await countOf(world(), org, 'identifiers')).toBe(27);
  expect(await countOf(world(), org, 'workflow_runs')).toBe(20);
});

test('events begin the live workflows that listen for them, and a webinar_id of a caller means nothing', async () => {
  const org = await world().newOrg();
  const listening = await arrangeWorkflow(world(), org, { type: 'event', event_name: 'bought' });
  await arrangeWorkflow(world(), org, { type: 'event', event_name: 'sold' });
  const { id: webinar_id } = await createWebinar(org);
  await send(org, {
    events: [
      { event_name: 'bought', email, custom_properties: { webinar_id: 'not a uuid' } },
      { event_name: 'bought', email, custom_properties: { webinar_id } },
      { event_name: 'visited', email, custom_properties: { webinar_id: 7 } },
      { event_name: 'bought', email },
    ],
  });
  expect(await runsOf(world(), org)).toMatchObject(
    Array.from({ length: 3 }, () => ({ workflow_id: listening, webinar_id: null })),
  );
});

test('500 events take a few statements, not some for each, also when everybody is new', async () => {
  const org = await world().newOrg();
  const { database } = world();
  const events = Array.from({ length: 500 }, (_, one) => ({
    event_name: 'visited',
    email: `p${one}@example.com`,
    phone: `+1555${1_000_000 + one}`,
  }));
  const again = events.map(({ event_name, email: address }) => ({
    event_name,
    email: address,
    event_id: address,
  }));
  for (const batch of [events, again]) {
    let statements = 0;
    const counting = database.withPlugin({
      transformQuery: ({ node }) => ((statements += 1), node),
      transformResult: async ({ result }) => result,
    });
    const perform = performer(counting, keyring(world().config), mailSettings(world().config));
    const caller = {
      org: org.id,
      actor: { kind: 'api_key', id: org.keyId },
      permissions: new Set(permissions),
      powers: new Set<never>(),
      face: 'rest',
      requestId: randomUUID(),
      address: null,
      now: new Date(),
      mode: 'test',
      currency: 'USD',
    } as const;
    const { output } = await perform(recordEvents, caller, { events: batch });
    expect(output).toEqual({ recorded: 500, duplicates: 0 });
    expect(statements).toBeLessThan(20);
    expect(statements).toBeGreaterThan(3);
  }
  expect(await countOf(world(), org, 'people')).toBe(500);
  expect(await countOf(world(), org, 'events')).toBe(1_000);
});

test('whoever was deleted while opted out is opted out again when an event brings the address back', async () => {
  const org = await world().newOrg();
  for (const [identifier, opt_outs] of [
    [{ email }, { email_opt_out: true }],
    [{ phone: '+4915112345678' }, { sms_opt_out: true }],
  ] as const) {
    const gone = await org.person(identifier);
    await org.rest(`PATCH /v1/people/${gone}/opt-outs`, opt_outs);
    expect((await org.rest(`DELETE /v1/people/${gone}?drop_suppression=true`)).status).toBe(200);
  }
  await send(org, { event_name: 'x', email });
  const there = await org.person({ email: 'ben@example.com' });
  await send(org, { event_name: 'x', email: 'ben@example.com', phone: '+49 151 12345678' });
  const { body } = await org.rest(`GET /v1/people/${there}/opt-outs`);
  expect(body.opt_outs).toMatchObject({ email_opt_out: false, sms_opt_out: true });
  const { rows } = await world().admin.query(
    `select p.primary_email, o.email_opt_out from people p join opt_outs o on o.person_id = p.id
     where p.org_id = $1 and o.email_opt_out`,
    [org.id],
  );
  expect(rows).toEqual([{ primary_email: email, email_opt_out: true }]);
});
