import { beforeAll, expect, test } from 'vitest';
import { laneStep } from '../../src/domain/broadcasts/sending/lane-step.ts';
import { newWebinar, register } from '../support/broadcast.ts';
import { beginSending, Patient, runParts } from '../support/lane.ts';
import { outcomesOf } from '../support/ledger.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { newTextOrg } from './text-setting.ts';

const world = useWorld();
const number = '+14155551234';
const typed = '+1 (415) 555-1234';

let org: TestOrg;
beforeAll(async () => {
  org = await world().newOrg();
  await org.rest('PATCH /v1/settings', { default_country: 'US' });
});

const identify = async (sent: object) => (await org.rest('POST /v1/people/identify', sent)).body;
const identifiersOf = async (person: string) =>
  (await org.rest(`GET /v1/people/${person}/identifiers`)).body.identifiers;

/** Registers by the form, and answers who it was. */
const registerBy = async (at: TestOrg, webinar_id: string, user: object): Promise<string> =>
  (await at.rest('POST /v1/webinars/register', { webinar_id, user })).body.org_user_id;

async function textTo(at: TestOrg, webinar_id: string): Promise<unknown> {
  await world().admin.query('update organizations set test_recipients = $2 where id = $1', [at.id, [number]]);
  const draft = { channel: 'sms', audience: 'webinar', webinar_id, message_body: 'Starts soon' };
  const { id, lane } = await beginSending(world(), at, draft);
  const provider = new Patient();
  await laneStep(runParts(world(), { text: provider }), lane(0), 1);
  return outcomesOf(world(), id);
}

test('DEC-009 SND-009 a number that opted out of texts is not texted when it is registered in another spelling', async () => {
  const { org: at } = await newTextOrg(world());
  const reader = await at.person({ phone: number });
  await at.rest(`PATCH /v1/people/${reader}/opt-outs`, { sms_opt_out: true });
  const webinar_id = await newWebinar(world(), at);
  expect(await registerBy(at, webinar_id, { phone: typed })).toBe(reader);
  expect(await textTo(at, webinar_id)).toEqual({ 'skipped opted_out': 1 });
});

test('SND-009 a number is not texted under whoever else it was stored with before spellings were compared', async () => {
  for (const [out, reached] of [
    [number, typed],
    [typed, number],
  ]) {
    const { org: at } = await newTextOrg(world());
    const [gone, there] = [
      await at.person({ email: 'a@example.com' }),
      await at.person({ email: 'b@example.com' }),
    ];
    const add = (person: string, value: string) =>
      world().admin.query(
        `insert into identifiers (org_id, id, person_id, type, value, is_contact_method, is_primary_for_type, created_at)
         values ($1, gen_random_uuid(), $2, 'phone', $3, true, true, now())`,
        [at.id, person, value],
      );
    await add(gone, out!);
    await add(there, reached!);
    await at.rest(`PATCH /v1/people/${gone}/opt-outs`, { sms_opt_out: true });
    const webinar_id = await newWebinar(world(), at);
    await register(world(), at, webinar_id, there);
    expect(await textTo(at, webinar_id)).toEqual({ 'skipped opted_out': 1 });
  }
});

test.each([
  ['+1 415 555 2000', '+1 (415) 555-2000'],
  ['+14155552001', '415-555-2001'],
  ['(415) 555-2002', '+1.415.555.2002'],
])('DEC-008 IDN-014 %s and %s are one identifier, shown as it was typed first', async (first, second) => {
  const { person_id, created } = await identify({ phone: first });
  expect(created).toBe(true);
  expect(await identify({ phone: second })).toMatchObject({ person_id, created: false });
  expect(await identifiersOf(person_id)).toMatchObject([
    { identifier_type: 'phone', identifier_value: first },
  ]);
  const { person } = (await org.rest(`GET /v1/people/${person_id}`)).body;
  expect(person).toMatchObject({ primary_phone: first, contact_info: { primary: { value: first } } });
  const event = { event_name: 'called', phone: second };
  expect((await org.rest('POST /v1/events', event)).body).toMatchObject({ recorded: 1 });
  expect((await org.rest(`GET /v1/people/${person_id}/events`)).body.events).toHaveLength(1);
});

test('IDF-023 IDF-027 add_identifier and update_identifier know a number in any spelling', async () => {
  const { person_id } = await identify({ phone: '+1 415 555 3000' });
  const { person_id: other } = await identify({ email: 'other@example.com' });
  const sent = { identifier_type: 'phone', identifier_value: '(415) 555-3000' };
  const conflict = (await org.rest(`POST /v1/people/${other}/identifiers`, sent)).body;
  expect(conflict).toMatchObject({ action: 'conflict', existing_org_user_id: person_id });
  expect((await org.rest(`POST /v1/people/${person_id}/identifiers`, sent)).body.action).toBe('unchanged');
  const [{ id }] = await identifiersOf(person_id);
  const route = `PATCH /v1/people/${person_id}/identifiers/${id}`;
  const { identifier } = (await org.rest(route, { identifier_value: '415.555.3000' })).body;
  expect(identifier).toMatchObject({ id, identifier_value: '415.555.3000' });
  expect(await identify({ phone: '+14155553000' })).toMatchObject({ person_id, created: false });
});

test.each(['+14155554000', '415-555-40', '(415) 555-4000', '+1 415 555 4000', '4155554000'])(
  'PPL-013 search_people finds a number by %s, however it was typed',
  async (query) => {
    const { person_id } = await identify({ phone: '415 555-4000' });
    const { people } = (await org.rest('POST /v1/people/search', { query })).body;
    expect(people.map(({ id }: { id: string }) => id)).toEqual([person_id]);
  },
);

test('what is no number is compared as it was written, and so is one with an extension', async () => {
  const ids = new Set<string>();
  for (const phone of ['call me', '555', '415 555 5000 ext 1', '415 555 5000 ext 2', '415 555 5000'])
    ids.add((await identify({ phone })).person_id);
  expect(ids.size).toBe(5);
});

test('default_country is a setting, and none unless it is said', async () => {
  const settings = async (at: TestOrg) => (await at.rest('GET /v1/settings')).body.settings;
  expect(await settings(org)).toMatchObject({ default_country: 'US' });
  expect(await settings(await world().newOrg())).toMatchObject({ default_country: null });
});

test.each(['XX', 'us', 'USA', ''])('default_country is two letters of a country, not "%s"', async (code) => {
  expect((await org.rest('PATCH /v1/settings', { default_country: code })).status).toBe(400);
});

test('without a default_country a number without its own is compared as it was written', async () => {
  const at = await world().newOrg();
  const first = await at.person({ phone: '415 555 6000' });
  expect(await at.person({ phone: '(415) 555-6000' })).not.toBe(first);
  expect(await at.person({ phone: '415 555 6000' })).toBe(first);
});
