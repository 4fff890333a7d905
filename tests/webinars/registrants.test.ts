import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { auditOf } from '../support/audit.ts';
import type { TestOrg } from '../support/test-org.ts';
import { createWebinar } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const register = async (org: TestOrg, webinar_id: string, user: object): Promise<string> =>
  (await org.rest('POST /v1/webinars/register', { webinar_id, user })).body.org_user_id;

const attended = async (org: TestOrg, id: string): Promise<Record<string, boolean>> =>
  Object.fromEntries(
    (await org.rest(`GET /v1/webinars/${id}/registrations`)).body.registrations.map(
      (one: { person_id: string; attended: boolean }) => [one.person_id, one.attended],
    ),
  );

test('attendance of many is told by person, user id or email, and rows that mean no registrant are named', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  const { id } = await createWebinar(org);
  const ann = await register(org, id, { phone: '+15555550111' });
  const ben = await register(org, id, { user_id: 'ben' });
  const cem = await register(org, id, { email: 'cem@example.com' });
  const stranger = await org.person({ email: 'stranger@example.com' });
  const tell = (rows: readonly object[], by = org) => by.rest(`POST /v1/webinars/${id}/attendance`, { rows });
  const { body } = await tell([
    { person_id: ann },
    { email: 'nobody@example.com' },
    { user_id: 'ben' },
    { email: 'CEM@example.com', attended: false },
    { person_id: stranger },
  ]);
  expect(body).toEqual({ changed: 3, not_registered: [1, 4] });
  expect(await attended(org, id)).toEqual({ [ann]: true, [ben]: true, [cem]: false });
  const { body: events } = await org.rest(`GET /v1/people/${ann}/events`);
  const told = () => JSON.stringify(events).match(/svc_webinar_attendance/g)?.length;
  expect(told()).toBe(1);
  expect((await tell([{ person_id: ann }, { user_id: 'ben' }])).body).toEqual({
    changed: 0,
    not_registered: [],
  });
  expect((await tell([{ user_id: 'ben' }, { person_id: ben, attended: false }])).body.changed).toBe(1);
  expect((await attended(org, id))[ben]).toBe(false);
  expect((await auditOf(world(), org, 'report_many_attendance')).length).toBe(2);
  const theirs = await other.person({ email: 'ann@example.com' });
  expect((await tell([{ person_id: ann, attended: false }, { person_id: theirs }])).status).toBe(404);
  expect((await attended(org, id))[ann]).toBe(true);
  expect((await tell([{ attended: true }])).body.errors[0].pointer).toBe('/rows/0');
});

test('registrants are found by part of their name or address, and by whoever may read people alone', async () => {
  const org = await world().newOrg();
  const { id } = await createWebinar(org);
  const ada = await register(org, id, { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' });
  const odd = await register(org, id, { email: 'a_b%c@example.com', phone: '+15555550122' });
  await org.person({ email: 'ada.other@example.com' });
  const find = async (query: string, by = org) =>
    (await by.rest(`POST /v1/webinars/${id}/registrations/search`, { query })).body.registrations.map(
      ({ person_id }: { person_id: string }) => person_id,
    );
  expect(await find('DA LOVE')).toEqual([ada]);
  expect(await find('ada@')).toEqual([ada]);
  expect(await find('b%c')).toEqual([odd]);
  expect(await find('555550122')).toEqual([odd]);
  expect(await find('a%e')).toEqual([]);
  expect(await find('example.com', await world().newKey(org, ['webinars.read']))).toEqual([]);
});

test('registrants leave as a file, which needs both permissions and is in the audit log', async () => {
  const org = await world().newOrg();
  const { id } = await createWebinar(org);
  await register(org, id, { email: 'ada@example.com', first_name: '=1+1' });
  const ben = await register(org, id, { email: 'ben@example.com' });
  await org.rest(`POST /v1/webinars/${id}/attendance`, { rows: [{ person_id: ben }] });
  const take = (by: TestOrg, query = '') =>
    fetch(`${org.url}/v1/webinars/${id}/registrations/export${query}`, { headers: by.credential });
  const rows = parse(await (await take(org)).text(), { columns: true }) as Record<string, string>[];
  expect(Object.fromEntries(rows.map((row) => [row['primary_email'], row['attended']]))).toEqual({
    'ada@example.com': 'false',
    'ben@example.com': 'true',
  });
  expect(rows.map(({ first_name }) => first_name)).toContain("'=1+1");
  const came = parse(await (await take(org, '?attended=true')).text(), { columns: true });
  expect(came.length).toBe(1);
  for (const permission of ['webinars.read', 'people.read'] as const)
    expect((await take(await world().newKey(org, [permission]))).status).toBe(403);
  expect(await auditOf(world(), org, 'export_registrations')).toMatchObject([
    { ids: { webinar_id: id } },
    { ids: { webinar_id: id } },
  ]);
});
