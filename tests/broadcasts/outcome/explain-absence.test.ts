import { expect, test } from 'vitest';
import { addDelivery, began, newSending } from '../../support/arrange-ledger.ts';
import { newDraft, newWebinar, register, schedule, readyDraft } from '../../support/broadcast.ts';
import { contentsOf } from '../../support/org-contents.ts';
import { newSegment } from '../../support/segment.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { detailOf, explain, wordsOf } from './explain-ways.ts';

const world = useWorld();

/** Somebody who was there before every broadcast of these tests. */
async function newElder(org: TestOrg, fields: Record<string, unknown>): Promise<string> {
  const person = await org.person(fields);
  await world().admin.query(`update people set created_at = '2026-01-01T00:00:00Z' where id = $1`, [person]);
  return person;
}

test('a draft goes to nobody; whether they would be in it is told, and why not', async () => {
  const org = await world().newOrg();
  const { id } = await newDraft(org, { audience: 'everyone' });
  const ann = await org.person({ email: 'ann@example.com' });
  const ben = await org.person({ phone: '+15550100' });
  const cem = await org.person({ email: 'cem@example.com' });
  await org.rest(`PATCH /v1/people/${cem}/opt-outs`, { email_opt_out: true });
  const before = await contentsOf(world().admin, org);
  const draft = 'It is a draft and goes to nobody until it is scheduled.';
  expect(await explain(org, id, ann)).toMatchObject({
    outcome: 'not_yet',
    summary: `${draft} If it were sent now they would get it.`,
  });
  const said = await explain(org, id, ben);
  expect(said.summary).toBe(`${draft} If it were sent now they would not be in it.`);
  expect(detailOf(said, 'outside_now')).toBe(
    'They have no email address now; everyone means whoever has one.',
  );
  const optedOut = await explain(org, id, cem);
  expect(optedOut.summary).toBe(`${draft} If it were sent now they would be left out.`);
  expect(detailOf(optedOut, 'excluded_now')).toContain('they had opted out of email');
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('one that is scheduled, did not begin, or is still lining people up has not decided yet', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  const ann = await org.person({ email: 'ann@example.com' });
  const { delivery } = await schedule(org, id);
  expect((await explain(org, id, ann)).summary).toContain(`It is scheduled for ${delivery.send_at}`);
  await world().admin.query(`update broadcasts set status = 'error', error = 'It was late.' where id = $1`, [
    id,
  ]);
  expect(await explain(org, id, ann)).toMatchObject({
    outcome: 'not_yet',
    summary: 'It did not begin. It was late. If it were sent now they would get it.',
  });
  const sending = await newSending(world(), org, { prepared_at: null });
  expect(await explain(org, sending, ann)).toMatchObject({ outcome: 'not_yet' });
  const set = (fields: string) =>
    world().admin.query(`update broadcasts set ${fields} where id = '${sending}'`);
  await set(`prepared_through = '00000000-0000-0000-0000-000000000001'`);
  expect(await explain(org, sending, ann)).toMatchObject({ outcome: 'not_yet' });
  await set(`prepared_through = 'ffffffff-ffff-ffff-ffff-ffffffffffff'`);
  expect(await explain(org, sending, ann)).toMatchObject({ outcome: 'not_in_audience' });
  await set(`prepared_through = null, status = 'stopped'`);
  const said = await explain(org, sending, ann);
  expect(said.outcome).toBe('not_in_audience');
  expect(said.summary).toBe(
    'They did not get it. It ended before everybody had been lined up, and they had not been.',
  );
});

test('whoever was added later could not be in it', async () => {
  const org = await world().newOrg();
  const id = await newSending(world(), org);
  const ann = await org.person({ email: 'ann@example.com' });
  const said = await explain(org, id, ann);
  expect(said.outcome).toBe('not_in_audience');
  expect(said.steps[0]).toEqual({
    at: began,
    what: 'not_in_audience',
    detail: 'They were not in the audience when it was resolved.',
  });
  expect(wordsOf(said)).toEqual(['not_in_audience', 'added_later']);
  expect(said.summary).toBe(
    'They did not get it. They were not in the audience when it was resolved. They were added after that.',
  );
});

test('everyone: one without an email address, and one who has it now', async () => {
  const org = await world().newOrg();
  const id = await newSending(world(), org);
  const ann = await newElder(org, { phone: '+15550100' });
  expect(wordsOf(await explain(org, id, ann))).toEqual(['not_in_audience', 'outside_now']);
  await org.person({ phone: '+15550100', email: 'ann@example.com' });
  const said = await explain(org, id, ann);
  expect(wordsOf(said)).toEqual(['not_in_audience', 'inside_now']);
  expect(said.summary).toContain('They are in the audience now, so they came into it after that.');
});

test('a segment: not a member, a member by now, and a segment that is gone', async () => {
  const org = await world().newOrg();
  const segment_id = await newSegment(org, [{ property: 'first_name', op: 'eq', value: 'Ann' }]);
  const id = await newSending(world(), org, {}, { audience: 'segment', segment_id });
  const ben = await newElder(org, { email: 'ben@example.com', first_name: 'Ben' });
  expect(detailOf(await explain(org, id, ben), 'outside_now')).toBe(
    'They do not meet the conditions of the segment “A segment” now.',
  );
  const ann = await newElder(org, { email: 'ann@example.com', first_name: 'Ann' });
  expect(wordsOf(await explain(org, id, ann))).toEqual(['not_in_audience', 'inside_now']);
  await world().admin.query('update broadcasts set segment_id = null where id = $1', [id]);
  expect(detailOf(await explain(org, id, ben), 'outside_now')).toContain('The segment it was for is gone');
});

test('a webinar: not registered, registered later, and of those who did not come', async () => {
  const org = await world().newOrg();
  const webinar_id = await newWebinar(world(), org);
  const draft = { audience: 'webinar', webinar_id, webinar_audience: 'attended' };
  const id = await newSending(world(), org, {}, draft);
  const ann = await newElder(org, { email: 'ann@example.com' });
  expect(detailOf(await explain(org, id, ann), 'outside_now')).toBe(
    'They are not registered for the webinar now.',
  );
  await register(world(), org, webinar_id, ann);
  expect(wordsOf(await explain(org, id, ann))).toEqual(['not_in_audience', 'registered_later']);
  await world().admin.query(`update registrations set registered_at = '2026-02-01' where person_id = $1`, [
    ann,
  ]);
  expect(detailOf(await explain(org, id, ann), 'outside_now')).toBe(
    'They are registered for the webinar and recorded as not having attended; it is for those who attended.',
  );
});

test('a broadcast whose messages are past what is kept says so, and not that somebody did not get it', async () => {
  const org = await world().newOrg();
  const ann = await newElder(org, { email: 'ann@example.com' });
  const gone = await newSending(world(), org, { status: 'sent', finished_at: began });
  await addDelivery(world(), org, gone, ann, { state: 'sent', sent_at: began });
  expect(await explain(org, gone, ann)).toMatchObject({ outcome: 'sent' });
  await world().admin.query('delete from deliveries where broadcast_id = $1', [gone]);
  const said = await explain(org, gone, ann);
  expect(said).toMatchObject({ outcome: 'not_kept', steps: [{ at: began, what: 'not_kept' }] });
  expect(said.summary).toContain('past what is kept');
  expect(said.summary).not.toContain('did not get');

  // Before the first rows of a month go, and while others of it are still there.
  const going = await newSending(world(), org, {
    status: 'sent',
    started_at: '2024-03-02T09:00:00Z',
    finished_at: began,
  });
  await addDelivery(world(), org, going, null, { state: 'sent', sent_at: began });
  expect(await explain(org, going, ann)).toMatchObject({ outcome: 'not_in_audience' });
  await org.rest('PATCH /v1/settings', { history_months: 6 });
  expect(await explain(org, going, ann)).toMatchObject({ outcome: 'not_kept' });
});
