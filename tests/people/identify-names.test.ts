import { expect, test, vi } from 'vitest';
import { contentsOf } from '../support/org-contents.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const email = 'ann@example.com';

test('over REST an API key fills absent names and replaces a name that differs', async () => {
  const org = await world().newOrg();
  const id = await org.person({ email, first_name: 'Ann' });
  await org.person({ email, first_name: 'Anna', last_name: 'Example' });
  expect(await namesOf(org, id)).toEqual(['Anna', 'Example']);
  await org.person({ email, last_name: 'Other' });
  expect(await namesOf(org, id)).toEqual(['Anna', 'Other']);
});

test('over tools a name is filled where there is none, and never replaced', async () => {
  const org = await world().newOrg();
  const id = await org.person({ email, first_name: 'Ann' });
  await org.tool('identify_person', { email, first_name: 'Anna', last_name: 'Example' });
  expect(await namesOf(org, id)).toEqual(['Ann', 'Example']);
  const before = await contentsOf(world().admin, org);
  await org.tool('identify_person', { email, first_name: 'Someone', last_name: 'Else' });
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('an empty or blank name is no name: it fills and replaces nothing', async () => {
  const org = await world().newOrg();
  const id = await org.person({ email, first_name: 'Ann' });
  await org.person({ email, first_name: '', last_name: '  ' });
  await org.tool('identify_person', { email, last_name: '' });
  expect(await namesOf(org, id)).toEqual(['Ann', null]);
});

test('a merge keeps the survivor’s names and fills the absent ones from the other', async () => {
  const org = await world().newOrg();
  const id = await org.person({ email, first_name: 'Ann' });
  await org.person({ phone: '+15550100', first_name: 'Visitor', last_name: 'Example' });
  await org.tool('identify_person', { email, phone: '+15550100', last_name: 'Sent' });
  expect(await namesOf(org, id)).toEqual(['Ann', 'Example']);
  await org.person({ external_user_id: 'customer-1', last_name: 'Third' });
  await org.person({ email, external_user_id: 'customer-1', first_name: 'Replaced' });
  const { body } = await org.tool('list_people');
  expect(body.people).toMatchObject([{ first_name: 'Replaced', last_name: 'Third' }]);
});

test('a tool does not replace a name that somebody fills while it waits for the person', async () => {
  const { admin } = world();
  const org = await world().newOrg();
  const id = await org.person({ email });
  await admin.query('begin');
  await admin.query('update people set first_name = $1 where id = $2', ['Ann', id]);
  const waiting = org.tool('identify_person', { email, first_name: 'Anna', last_name: 'Example' });
  await vi.waitFor(async () => {
    const { rows } = await admin.query(
      'select 1 from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))',
    );
    expect(rows).not.toEqual([]);
  }, 20_000);
  await admin.query('commit');
  expect((await waiting).isError).toBe(false);
  expect(await namesOf(org, id)).toEqual(['Ann', 'Example']);
});

async function namesOf(org: TestOrg, person_id: string): Promise<[unknown, unknown]> {
  const { person } = (await org.tool('get_person', { person_id })).body;
  return [person.first_name, person.last_name];
}
