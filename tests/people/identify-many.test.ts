import { expect, test } from 'vitest';
import { identifyMany } from '../../src/domain/people/identify/identify-many.ts';
import { takeFields, type PersonSent } from '../../src/domain/people/identify/sent-person.ts';
import { inService } from '../support/in-service.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const sent = (...emails: string[]): PersonSent => ({
  identifiers: emails.map((value) => ({ type: 'email', value })),
  fields: takeFields({}),
  values: {},
  optsOut: false,
});

test('an empty list is gone through', async () => {
  const org = await world().newOrg();
  const done = await inService(world(), org, (work) => identifyMany(work, [], () => true));
  expect(done).toEqual({ outcomes: [], created: 0, merged: 0, optedOut: 0 });
});

test('every merge leaves its own audit row, with who is gone and who is left, and the caller’s has none of it', async () => {
  const org = await world().newOrg();
  const [ann, bo, cy] = [
    await org.person({ email: 'ann@example.com' }),
    await org.person({ email: 'bo@example.com' }),
    await org.person({ email: 'cy@example.com' }),
  ];
  const lines = [sent('ann@example.com', 'bo@example.com'), sent('cy@example.com', 'bo@example.com')];
  const touched = await inService(world(), org, async (work) => {
    const done = await identifyMany(work, lines, () => true);
    expect(done).toEqual({ outcomes: ['done', 'done'], created: 0, merged: 2, optedOut: 0 });
    return work.touched;
  });
  expect(touched).toEqual({});
  const { rows } = await world().admin.query(
    "select actor_id, ids from audit_log where org_id = $1 and operation = 'import_merge' order by id",
    [org.id],
  );
  expect(rows).toEqual([
    { actor_id: 'a test', ids: { person_id: ann, merged_person_ids: [bo] } },
    { actor_id: 'a test', ids: { person_id: cy, merged_person_ids: [ann] } },
  ]);
  const gone = await org.rest(`GET /v1/people/${bo}`);
  expect(gone).toMatchObject({ status: 404, body: { merged_into: cy } });
});

test('a list that says nothing new writes nothing', async () => {
  const org = await world().newOrg();
  const person = await org.person({ email: 'ann@example.com', first_name: 'Ann' });
  const read = () => world().admin.query('select * from people where id = $1', [person]);
  const before = (await read()).rows;
  const again = { ...sent('ann@example.com'), fields: takeFields({ first_name: 'Bo' }) };
  await inService(world(), org, (work) => identifyMany(work, [again, sent('ann@example.com')], () => true));
  expect((await read()).rows).toEqual(before);
});
