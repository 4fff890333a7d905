import { expect, test } from 'vitest';
import { addRow } from '../support/person-rows.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const email = 'ann@example.com';
const phone = '+15550100';

test('a suppressed address that was deleted comes back opted out, on its own channel', async () => {
  const org = await world().newOrg();
  const gone = await org.person({ email, phone });
  await org.tool('add_identifier', {
    person_id: gone,
    identifier_type: 'email',
    identifier_value: 'second@example.com',
  });
  await org.tool('set_opt_outs', { person_id: gone, email_opt_out: true, sms_opt_out: true });
  await dropPerson(org, gone);

  const { body } = await org.tool('identify_person', { email: ` ${email.toUpperCase()} ` });
  expect(body.created).toBe(true);
  expect(await optOutsOf(org, body.person_id)).toEqual([true, false]);
  const other = await org.person({ email: 'second@example.com' });
  expect(await optOutsOf(org, other)).toEqual([true, false]);
  // However the phone comes back.
  const sent = { identifier_type: 'phone', identifier_value: phone };
  await org.rest(`POST /v1/people/${other}/identifiers`, sent);
  expect(await optOutsOf(org, other)).toEqual([true, true]);
  expect((await org.tool('delete_person', { person_id: other })).body.code).toBe('suppressed');
});

test('a known person who is given such an address is opted out too, by identifying or by a change', async () => {
  const org = await world().newOrg();
  const gone = await org.person({ email, phone });
  await org.tool('set_opt_outs', { person_id: gone, email_opt_out: true, sms_opt_out: true });
  await dropPerson(org, gone);
  const known = await org.person({ anonymous_id: 'visitor-1' });
  await org.tool('identify_person', { anonymous_id: 'visitor-1', email });
  expect(await optOutsOf(org, known)).toEqual([true, false]);

  const texted = await org.person({ phone: '+15550199' });
  const { identifiers } = (await org.tool('list_identifiers', { person_id: texted })).body;
  await org.rest(`PATCH /v1/people/${texted}/identifiers/${identifiers[0].id}`, { identifier_value: phone });
  expect(await optOutsOf(org, texted)).toEqual([false, true]);
});

test('only what was opted out comes back opted out, and only in its organization', async () => {
  const org = await world().newOrg();
  const gone = await org.person({ email, phone });
  await org.tool('set_opt_outs', { person_id: gone, sms_opt_out: true });
  await dropPerson(org, gone);
  expect(await optOutsOf(org, await org.person({ email }))).toEqual([false, false]);
  expect(await optOutsOf(org, await org.person({ phone }))).toEqual([false, true]);
  const stranger = await world().newOrg();
  expect(await optOutsOf(stranger, await stranger.person({ email, phone }))).toEqual([false, false]);
});

test('a blacklisted address that was deleted comes back opted out', async () => {
  const org = await world().newOrg();
  const gone = await org.person({ phone });
  const { email: bounced } = await addRow(world().admin, org.id, 'email_blacklist', gone);
  await dropPerson(org, gone);
  expect(await optOutsOf(org, await org.person({ email: bounced }))).toEqual([true, false]);
});

test('an address that a suppressed person gives up takes its suppression along', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email, phone });
  await org.tool('set_opt_outs', { person_id, email_opt_out: true });
  const { identifiers } = (await org.tool('list_identifiers', { person_id })).body;
  await org.tool('remove_identifier', { person_id, identifier_id: identifiers[0].id });
  expect(await optOutsOf(org, await org.person({ email }))).toEqual([true, false]);
});

test('set_opt_outs false lifts it for good, for the channel it names', async () => {
  const org = await world().newOrg();
  const gone = await org.person({ email, phone });
  await org.tool('set_opt_outs', { person_id: gone, email_opt_out: true, sms_opt_out: true });
  await dropPerson(org, gone);
  const back = await org.person({ email, phone });
  expect(await optOutsOf(org, back)).toEqual([true, true]);
  const lifted = await org.tool('set_opt_outs', { person_id: back, email_opt_out: false });
  expect(lifted.body.opt_outs).toEqual({ email_opt_out: false, sms_opt_out: true });
  // Identifying again does not bring it back, nor does another deletion.
  await org.person({ email, anonymous_id: 'visitor-1' });
  expect(await optOutsOf(org, back)).toEqual([false, true]);
  await dropPerson(org, back);
  expect(await optOutsOf(org, await org.person({ email, phone }))).toEqual([false, true]);
});

test('a deletion without suppression leaves nothing that would opt anybody out', async () => {
  const org = await world().newOrg();
  const gone = await org.person({ email, phone });
  await org.tool('set_opt_outs', { person_id: gone, email_opt_out: true });
  await org.tool('set_opt_outs', { person_id: gone, email_opt_out: false });
  expect((await org.tool('delete_person', { person_id: gone })).isError).toBe(false);
  expect(await optOutsOf(org, await org.person({ email, phone }))).toEqual([false, false]);
});

async function dropPerson(org: TestOrg, person: string): Promise<void> {
  expect((await org.rest(`DELETE /v1/people/${person}?drop_suppression=true`)).status).toBe(200);
}

/** Whether a person is opted out of email, and of texts. */
async function optOutsOf(org: TestOrg, person_id: string): Promise<[boolean, boolean]> {
  const { opt_outs } = (await org.tool('get_opt_outs', { person_id })).body;
  return [opt_outs.email_opt_out, opt_outs.sms_opt_out];
}
