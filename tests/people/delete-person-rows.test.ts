import { expect, test } from 'vitest';
import { addDelivery, newSending } from '../support/arrange-ledger.ts';
import { addRow, personTables, rowsOf, type PersonTable } from '../support/person-rows.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

/** What becomes of each table's rows when their person is deleted. */
const goes = [
  ['DEL-007 events', 'events'],
  ['DEL-007 the names callers gave events', 'named_events'],
  ['DEL-009 an opt-out record that opts out of nothing', 'opt_outs'],
  ['DEL-011 subscriptions', 'subscriptions'],
  ['webinar registrations', 'registrations'],
  ['DEL-013 signals', 'signals'],
  ['identifiers', 'identifiers'],
  ['property values', 'property_values'],
  ['property changes not yet applied', 'property_changes'],
  ['redirects from merged people', 'merged_people'],
  ['workflow runs', 'workflow_runs'],
  ['waits of workflow runs', 'waits'],
  ['tests of broadcasts that show their values', 'test_sends'],
] as const satisfies (readonly [string, PersonTable])[];
const stays = [
  ['DEL-014 purchase rows', 'purchases'],
  ['DEL-015 sent-message rows', 'deliveries'],
] as const satisfies (readonly [string, PersonTable])[];
const refuses = ['tasks', 'connection_invites', 'email_blacklist'] as const satisfies PersonTable[];

const remove = {
  rest: async (org: TestOrg, person: string) => (await org.rest(`DELETE /v1/people/${person}`)).body,
  tool: async (org: TestOrg, person_id: string) => (await org.tool('delete_person', { person_id })).body,
};

test('every table that refers to people is deleted with them, detached or a reason to refuse', () => {
  const judged = [...goes, ...stays].map(([, table]) => table);
  expect([...judged, ...refuses].toSorted()).toEqual(personTables.toSorted());
});

test.each(goes)('%s: deleted together with the person', async (_, table) => {
  const { admin } = world();
  const org = await world().newOrg();
  for (const face of ['rest', 'tool'] as const) {
    const person_id = await org.person({ email: `${face}@example.com` });
    const other = await org.person({ email: `other-${face}@example.com` });
    await addRow(admin, org.id, table, person_id);
    if (table !== 'opt_outs') await addRow(admin, org.id, table, person_id);
    await addRow(admin, org.id, table, other);
    const ofOther = await rowsOf(admin, org.id, table, other);
    const { rows: before } = await admin.query(`select 1 from ${table} where org_id = $1`, [org.id]);
    const mine = await rowsOf(admin, org.id, table, person_id);
    expect(mine.length).toBeGreaterThan(0);

    expect(await remove[face](org, person_id)).toEqual({ deleted: true, person_id });

    expect(await rowsOf(admin, org.id, table, person_id)).toEqual([]);
    expect(await rowsOf(admin, org.id, table, other)).toEqual(ofOther);
    // Gone, not merely detached.
    const { rows: after } = await admin.query(`select 1 from ${table} where org_id = $1`, [org.id]);
    expect(after).toHaveLength(before.length - mine.length);
  }
});

test.each(stays)('%s are kept, detached from the person', async (_, table) => {
  const { admin } = world();
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'ann@example.com' });
  const other = await org.person({ email: 'ben@example.com' });
  const mine = await addRow(admin, org.id, table, person_id);
  const theirs = await addRow(admin, org.id, table, other);
  expect((await org.tool('delete_person', { person_id })).isError).toBe(false);
  expect(await rowsOf(admin, org.id, table, null)).toEqual([{ ...mine, person_id: null }]);
  expect(await rowsOf(admin, org.id, table, other)).toEqual([theirs]);
  expect((await org.rest(`DELETE /v1/people/${other}`)).status).toBe(200);
  expect(await rowsOf(admin, org.id, table, null)).toHaveLength(2);
});

test('DEL-008 sent-email history: deleted together with the person', async () => {
  const { admin } = world();
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'ann@example.com' });
  const id = await newSending(world(), org);
  const was = {
    state: 'sent',
    sent_at: new Date(),
    address: 'ann@example.com',
    reply: '250 ann@example.com',
  };
  const mine = await addDelivery(world(), org, id, person_id, was);
  const { body } = await org.rest(`GET /v1/people/${person_id}/events`);
  expect(body.events).toMatchObject([
    { event_name: '$svc_email_sent', custom_properties: { broadcast_id: id } },
  ]);
  await org.rest(`DELETE /v1/people/${person_id}`);
  const { rows } = await admin.query('select to_jsonb(d)::text as row from deliveries d where id = $1', [
    mine,
  ]);
  expect(rows[0].row).not.toContain('ann@example.com');
  expect(rows[0].row).not.toContain(person_id);
  const { totals } = (await org.rest(`GET /v1/broadcasts/${id}/stats`)).body;
  expect(totals).toMatchObject({ recipients: 1, sent: 1 });
});

test('DEL-009 DEL-010 DEL-020 drop_suppression=true deletes a suppressed person with opt-outs and blacklist entries', async () => {
  const { admin } = world();
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'ann@example.com', phone: '+15550100' });
  const other = await org.person({ email: 'ben@example.com' });
  for (const person of [person_id, other]) {
    await org.rest(`PATCH /v1/people/${person}/opt-outs`, { email_opt_out: true, sms_opt_out: true });
    await addRow(admin, org.id, 'email_blacklist', person);
    await addRow(admin, org.id, 'email_blacklist', person);
  }
  const rest = await org.rest(`DELETE /v1/people/${person_id}?drop_suppression=true`);
  expect(rest).toMatchObject({ status: 200, body: { deleted: true, person_id } });
  expect((await org.rest(`GET /v1/people/${person_id}`)).status).toBe(404);
  expect(await rowsOf(admin, org.id, 'opt_outs', person_id)).toEqual([]);
  expect(await rowsOf(admin, org.id, 'email_blacklist', person_id)).toEqual([]);
  expect(await rowsOf(admin, org.id, 'opt_outs', other)).toHaveLength(1);
  expect(await rowsOf(admin, org.id, 'email_blacklist', other)).toHaveLength(2);
});
