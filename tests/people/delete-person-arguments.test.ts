import { expect, test } from 'vitest';
import { contentsOf } from '../support/org-contents.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('DEL-001 DEL-005 it takes person_id and an optional reason, and answers deleted and person_id', async () => {
  const org = await world().newOrg();
  const [first, second, third, fourth] = [
    await org.person({ email: 'first@example.com' }),
    await org.person({ email: 'second@example.com' }),
    await org.person({ email: 'third@example.com' }),
    await org.person({ email: 'fourth@example.com' }),
  ];
  const tool = await org.tool('delete_person', { person_id: first });
  expect(tool).toMatchObject({ isError: false, body: { deleted: true, person_id: first } });
  const withReason = await org.tool('delete_person', { person_id: second, reason: 'asked for it' });
  expect(withReason.body).toEqual({ deleted: true, person_id: second });
  const rest = await org.rest(`DELETE /v1/people/${third}`);
  expect(rest).toMatchObject({ status: 200, body: { deleted: true, person_id: third } });
  const restReason = await org.rest(`DELETE /v1/people/${fourth}?reason=asked%20for%20it`);
  expect(restReason.body).toEqual({ deleted: true, person_id: fourth });
  expect((await org.tool('list_people')).body.total).toBe(0);

  const before = await contentsOf(world().admin, org);
  expect((await org.tool('delete_person', {})).isError).toBe(true);
  expect((await org.tool('delete_person', { reason: 'nobody' })).isError).toBe(true);
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('DEL-002 a reason of 200 characters is accepted, one of 201 or of no text refused', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'ann@example.com' });
  const before = await contentsOf(world().admin, org);
  for (const reason of ['x'.repeat(201), 7, true, null, ['x']]) {
    const tool = await org.tool('delete_person', { person_id, reason });
    expect(tool).toMatchObject({ isError: true, body: { errors: [{ pointer: '/reason' }] } });
    const rest = await org.rest(`DELETE /v1/people/${person_id}`, { reason });
    expect(rest).toMatchObject({ status: 400, body: { errors: [{ pointer: '/reason' }] } });
  }
  expect(await contentsOf(world().admin, org)).toEqual(before);
  const tool = await org.tool('delete_person', { person_id, reason: 'x'.repeat(200) });
  expect(tool.body).toEqual({ deleted: true, person_id });
  const other = await org.person({ email: 'ben@example.com' });
  expect((await org.rest(`DELETE /v1/people/${other}`, { reason: 'x'.repeat(200) })).status).toBe(200);
});

test('a deleted person is gone from get_person, search_people and list_people, for good', async () => {
  const org = await world().newOrg();
  const gone = await org.person({ email: 'gone@example.com', first_name: 'Gone' });
  const stays = await org.person({ email: 'stays@example.com' });
  expect((await org.tool('search_people', { query: 'GONE@' })).body.people).toHaveLength(1);
  await org.tool('delete_person', { person_id: gone });

  const ids = (body: { people: { id: string }[] }) => body.people.map(({ id }) => id);
  expect(await org.rest(`GET /v1/people/${gone}`)).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  });
  expect((await org.tool('get_person', { person_id: gone })).isError).toBe(true);
  expect((await org.tool('search_people', { query: 'gone@' })).body.people).toEqual([]);
  expect(ids((await org.rest('POST /v1/people/search', { query: 'example.com' })).body)).toEqual([stays]);
  const list = await org.tool('list_people');
  expect(list.body.total).toBe(1);
  expect(ids(list.body)).toEqual([stays]);
  expect((await org.rest('GET /v1/people?email=gone@example.com')).body).toMatchObject({
    total: 0,
    people: [],
  });
  // Whoever comes back under the same address is somebody new.
  const again = await org.tool('identify_person', { email: 'gone@example.com' });
  expect(again.body.created).toBe(true);
  expect(again.body.person_id).not.toBe(gone);
  const { body } = await org.tool('get_person', { person_id: again.body.person_id });
  expect(body.person.first_name).toBeNull();
});

test('DEL-024 an id that is no uuid is refused', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'ann@example.com' });
  const before = await contentsOf(world().admin, org);
  for (const id of ['ann@example.com', '7', `${person_id}0`, person_id.slice(1), '*', '%']) {
    const tool = await org.tool('delete_person', { person_id: id });
    expect(tool).toMatchObject({ isError: true, body: { status: 400, errors: [{ pointer: '/person_id' }] } });
    const rest = await org.rest(`DELETE /v1/people/${encodeURIComponent(id)}`);
    expect(rest).toMatchObject({ status: 400, body: { errors: [{ pointer: '/person_id' }] } });
  }
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('DEL-025 a person who is not in the organization is not found, and nothing is deleted', async () => {
  const org = await world().newOrg();
  await org.person({ email: 'ann@example.com' });
  const stranger = await world().newOrg();
  const theirs = await stranger.person({ email: 'ann@example.com' });
  const mine = await contentsOf(world().admin, org);
  const others = await contentsOf(world().admin, stranger);
  for (const person_id of [theirs, '0190c0de-0000-7000-8000-000000000001']) {
    const tool = await org.tool('delete_person', { person_id });
    expect(tool).toMatchObject({ isError: true, body: { status: 404, code: 'not_found' } });
    const rest = await org.rest(`DELETE /v1/people/${person_id}?drop_suppression=true`);
    expect(rest).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
  expect(await contentsOf(world().admin, org)).toEqual(mine);
  expect(await contentsOf(world().admin, stranger)).toEqual(others);
});
