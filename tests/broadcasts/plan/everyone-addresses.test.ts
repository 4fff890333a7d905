import { expect, test } from 'vitest';
import { newDraft, plan } from '../../support/broadcast.ts';
import { ended, moveClock, receiversOf, useSending, scheduleEmail } from '../../support/sending.ts';
import { newSendingOrg } from '../../support/reader-rows.ts';
import type { TestOrg } from '../../support/test-org.ts';

const sending = useSending();

async function addEmail(org: TestOrg, person_id: string, email: string, flags = {}): Promise<void> {
  const sent = { identifier_type: 'email', identifier_value: email, is_contact_method: true, ...flags };
  const { status, body } = await org.rest(`POST /v1/people/${person_id}/identifiers`, sent);
  expect({ status, action: body.action }).toEqual({ status: 200, action: 'added' });
}

async function findEmail(org: TestOrg, person: string, email: string): Promise<string> {
  const { body } = await org.rest(`GET /v1/people/${person}/identifiers`);
  return body.identifiers.find((one: { identifier_value: string }) => one.identifier_value === email).id;
}

const patch = async (org: TestOrg, person: string, email: string, sent: object): Promise<void> => {
  const route = `PATCH /v1/people/${person}/identifiers/${await findEmail(org, person, email)}`;
  expect((await org.rest(route, sent)).status).toBe(200);
};

const remove = async (org: TestOrg, person: string, email: string): Promise<void> => {
  const route = `DELETE /v1/people/${person}/identifiers/${await findEmail(org, person, email)}`;
  expect((await org.rest(route)).status).toBe(200);
};

const primaryOf = async (org: TestOrg, person: string): Promise<string | null> =>
  (await org.rest(`GET /v1/people/${person}`)).body.person.primary_email;

test('DEC-010 BRD-014 everyone also gets it who has no primary address, at the oldest one that may be written to', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const unset = await org.person({ external_user_id: 'unset' });
  await addEmail(org, unset, 'never@example.com', { is_contact_method: false });
  await addEmail(org, unset, 'oldest@example.com');
  await addEmail(org, unset, 'newer@example.com');
  const silent = await org.person({ email: 'silent@example.com' });
  await addEmail(org, silent, 'speaking@example.com');
  await patch(org, silent, 'silent@example.com', { is_contact_method: false });
  const mute = await org.person({ email: 'mute@example.com' });
  await patch(org, mute, 'mute@example.com', { is_contact_method: false });
  await addEmail(org, await org.person({ email: 'primary@example.com' }), 'further@example.com');
  const { id: draft } = await newDraft(org, { audience: 'everyone' });
  expect((await plan(org, draft)).audience).toMatchObject({
    recipients: 4,
    reachable: 3,
    excluded: [{ reason: 'no_address', count: 1 }],
  });

  const { id, subject, sendAt } = await scheduleEmail(world, org);
  await moveClock(org, sendAt + 4 * 3_600_000);
  expect(await ended(org, id)).toMatchObject({ status: 'sent', counts: { sent: 3, skipped: 1 } });
  const told = ['oldest@example.com', 'primary@example.com', 'speaking@example.com'];
  expect(receiversOf(mail, subject).toSorted()).toEqual(told);
});

test('IDF-031 when a primary is removed, the oldest one of its type that may be written to takes its place', async () => {
  const org = await sending().world.newOrg();
  const person = await org.person({ email: 'first@example.com' });
  await addEmail(org, person, 'silent@example.com', { is_contact_method: false });
  await addEmail(org, person, 'second@example.com');
  await addEmail(org, person, 'third@example.com');
  await remove(org, person, 'first@example.com');
  expect(await primaryOf(org, person)).toBe('second@example.com');
  await remove(org, person, 'third@example.com');
  expect(await primaryOf(org, person)).toBe('second@example.com');
  await remove(org, person, 'second@example.com');
  expect(await primaryOf(org, person)).toBeNull();
});

test('IDF-027 a primary that is turned into none gives way to another, and is none where there is no other', async () => {
  const org = await sending().world.newOrg();
  const person = await org.person({ email: 'first@example.com' });
  await patch(org, person, 'first@example.com', { is_primary_for_type: false });
  expect(await primaryOf(org, person)).toBeNull();
  await patch(org, person, 'first@example.com', { is_primary_for_type: true });
  await addEmail(org, person, 'second@example.com');
  await patch(org, person, 'first@example.com', { is_primary_for_type: false });
  expect(await primaryOf(org, person)).toBe('second@example.com');
});

test('IDN-023 after a merge of people without a primary the oldest address of both is written to', async () => {
  const { world } = sending();
  const org = await world.newOrg();
  const [one, other] = [
    await org.person({ external_user_id: 'a' }),
    await org.person({ phone: '+14155550001' }),
  ];
  await addEmail(org, other, 'older@example.com');
  await addEmail(org, one, 'younger@example.com');
  await org.rest('POST /v1/people/identify', { external_user_id: 'a', phone: '+14155550001' });
  const { rows } = await world.admin.query('select other_email from people where id = $1', [one]);
  expect(rows).toEqual([{ other_email: 'older@example.com' }]);
});
