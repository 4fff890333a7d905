import { expect, test } from 'vitest';
import { codesOf, newWebinar, plan, register, readyDraft } from '../../support/broadcast.ts';
import { newSegment } from '../../support/segment.ts';
import { useWorld } from '../../support/world.ts';
import {
  blocksUntil,
  newConfig,
  patch,
  readyInvitation,
  readyText,
  setProperty,
  warnsUntil,
} from './plan-support.ts';

const world = useWorld();

const ada = [{ property: 'first_name', op: 'eq', value: 'Ada' }];
const gold = [{ custom_property_key: 'tier', op: 'eq', value: 'gold' }];

test('PLN-033 everyone warns that it goes to the whole list, with the number of people, and does not block', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  await org.person({ email: 'ada@example.com', first_name: 'Ada' });
  await org.person({ phone: '+15550100123' });
  const segment_id = await newSegment(org, ada);
  const change = () => patch(org, id, { audience: 'segment', segment_id });
  const check = await warnsUntil(org, id, 'everyone', change);
  expect(check).toEqual({ level: 'warning', code: 'everyone', message: expect.any(String), count: 2 });
});

test('PLN-034 no_recipients_yet warns while a segment has no members, and does not block', async () => {
  const org = await world().newOrg();
  const segment_id = await newSegment(org, ada);
  const { id } = await readyDraft(world(), org, { audience: 'segment', segment_id });
  expect(await plan(org, id)).toMatchObject({
    audience: { recipients: 0, reachable: 0, excluded: [] },
    preview: null,
    variables: [],
  });
  await warnsUntil(org, id, 'no_recipients_yet', () =>
    org.person({ email: 'ada@example.com', first_name: 'Ada' }),
  );
});

test('PLN-034 no_recipients_yet warns of everyone while there is nobody with an email address', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  const { person_id } = (await plan(org, id)).preview;
  expect((await org.rest(`DELETE /v1/people/${person_id}`)).status).toBe(200);
  await org.person({ phone: '+15550100123' });
  await warnsUntil(org, id, 'no_recipients_yet', () => org.person({ email: 'ada@example.com' }));
});

test('PLN-034 no_recipients_yet warns while nobody is registered, attended or stayed away', async () => {
  const org = await world().newOrg();
  for (const [webinar_audience, attended] of [
    ['registered', false],
    ['attended', true],
    ['no_show', false],
  ] as const) {
    const webinar_id = await newWebinar(world(), org);
    const { id, person } = await readyText(world(), org, { webinar_id, webinar_audience });
    const join = () => register(world(), org, webinar_id, person, { attended });
    const check = await warnsUntil(org, id, 'no_recipients_yet', join);
    expect(check).toEqual({ level: 'warning', code: 'no_recipients_yet', message: expect.any(String) });
  }
});

test('PLN-034 people who are there and cannot be reached are recipients', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  const { person_id } = (await plan(org, id)).preview;
  await org.rest(`PATCH /v1/people/${person_id}/opt-outs`, { email_opt_out: true });
  const planned = await plan(org, id);
  expect(codesOf(planned)).toEqual(['everyone']);
  expect(planned).toMatchObject({ audience: { recipients: 1, reachable: 0 }, preview: null });
});

test('PLN-018 recipients are counted anew by every plan', async () => {
  const org = await world().newOrg();
  const webinar_id = await newWebinar(world(), org);
  const segment_id = await newSegment(org, ada);
  const everyone = await readyDraft(world(), org);
  const segment = await readyDraft(world(), org, { audience: 'segment', segment_id });
  const invitation = await readyInvitation(world(), org, webinar_id);
  const counts = async () =>
    Promise.all(
      [everyone, segment, invitation].map(async ({ id }) => (await plan(org, id)).audience.recipients),
    );
  const [all, adas, guests] = await counts();
  expect([adas, guests]).toEqual([0, 1]);
  const person = await org.person({ email: 'ada@example.com', first_name: 'Ada' });
  expect(await counts()).toEqual([all + 1, 1, 1]);
  await register(world(), org, webinar_id, person);
  expect(await counts()).toEqual([all + 1, 1, 2]);
  await org.rest(`PATCH /v1/segments/${segment_id}`, { filters: [{ ...ada[0], value: 'Eve' }] });
  expect(await counts()).toEqual([all + 1, 0, 2]);
  await org.rest(`DELETE /v1/people/${person}`);
  expect(await counts()).toEqual([all, 0, 1]);
});

test('PLN-011 PLN-017 segment_invalid blocks when a property the segment asks about is gone, until it is back', async () => {
  const org = await world().newOrg();
  const config = await newConfig(org, 'tier');
  const segment_id = await newSegment(org, [...ada, ...gold]);
  const { id } = await readyDraft(world(), org, { audience: 'segment', segment_id });
  const person = await org.person({ email: 'ada@example.com', first_name: 'Ada' });
  await setProperty(org, person, 'tier', 'gold');
  expect((await plan(org, id)).audience).toMatchObject({ segment_name: 'A segment', recipients: 1 });
  await org.rest(`DELETE /v1/property-configs/${config}`);
  expect((await plan(org, id)).audience).toMatchObject({ segment_name: 'A segment', recipients: 0 });
  const check = await blocksUntil(org, id, 'segment_invalid', () => newConfig(org, 'tier'));
  expect(check.message).toMatch(/A segment/);
});

test('PLN-011 segment_invalid blocks when the property came back as another type, until the segment asks otherwise', async () => {
  const org = await world().newOrg();
  const config = await newConfig(org, 'tier');
  const segment_id = await newSegment(org, gold);
  const { id } = await readyDraft(world(), org, { audience: 'segment', segment_id });
  await org.rest(`DELETE /v1/property-configs/${config}`);
  await newConfig(org, 'tier', 'number');
  const check = await blocksUntil(org, id, 'segment_invalid', () =>
    org.rest(`PATCH /v1/segments/${segment_id}`, { filters: [{ ...gold[0], value: 5 }] }),
  );
  expect(check.message).toMatch(/A segment/);
});

test('PLN-011 PLN-017 segment_invalid blocks when the segment was deleted, until another is chosen', async () => {
  const org = await world().newOrg();
  const [one, other] = [await newSegment(org, ada), await newSegment(org, ada)];
  await org.person({ email: 'ada@example.com', first_name: 'Ada' });
  const { id } = await readyDraft(world(), org, { audience: 'segment', segment_id: one });
  expect((await plan(org, id)).audience.recipients).toBe(1);
  expect((await org.rest(`DELETE /v1/segments/${one}`)).status).toBe(200);
  const planned = await plan(org, id);
  expect(planned.audience).toMatchObject({ kind: 'segment', segment_name: null, recipients: 0 });
  await blocksUntil(org, id, 'segment_invalid', () => patch(org, id, { segment_id: other }));
  await org.rest(`DELETE /v1/segments/${other}`);
  await blocksUntil(org, id, 'segment_invalid', () => patch(org, id, { audience: 'everyone' }));
});

test('PLN-017 a segment that the service keeps may be an audience', async () => {
  const org = await world().newOrg();
  const { segments } = (await org.rest('GET /v1/segments')).body;
  for (const { id: segment_id, name } of segments) {
    const { id } = await readyDraft(world(), org, { audience: 'segment', segment_id });
    const planned = await plan(org, id);
    expect(planned.audience).toMatchObject({ kind: 'segment', segment_name: name });
    expect(codesOf(planned, 'error')).toEqual([]);
  }
  expect(segments.length).toBeGreaterThan(0);
});
