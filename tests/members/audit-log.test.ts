import { expect, test } from 'vitest';
import { newMember } from '../support/member.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const list = async (org: TestOrg, filters: Record<string, string> = {}) =>
  (await org.rest(`GET /v1/audit-log?${new URLSearchParams(filters).toString()}`)).body;

/** Every page, one after another. */
async function all(org: TestOrg, filters: Record<string, string>, limit: number): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: { entries: { entry_id: string }[]; next_cursor: string | null } = await list(org, {
      ...filters,
      limit: String(limit),
      ...(cursor !== '' && { cursor }),
    });
    found.push(...page.entries.map(({ entry_id }) => entry_id));
    cursor = page.next_cursor;
  }
  return found;
}

test('an entry tells who did what to what, when and from where', async () => {
  const org = await world().newOrg();
  const member = await newMember(world(), org, 'editor');
  const person_id = (await member.rest('POST /v1/people/identify', { email: 'ada@example.com' })).body
    .person_id;
  const { entries, next_cursor } = await list(member);
  expect(next_cursor).toBeNull();
  expect(entries).toEqual([
    {
      entry_id: expect.any(String) as string,
      at: expect.any(String) as string,
      operation: 'identify_person',
      actor: { kind: 'user', id: member.user.userId },
      connection_id: null,
      face: 'rest',
      address: '127.0.0.1',
      ids: { person_id },
      reason: null,
      request_id: expect.any(String) as string,
    },
  ]);
});

test('a deletion by a user is logged with that user', async () => {
  const org = await world().newOrg();
  const member = await newMember(world(), org, 'admin');
  const person_id = await org.person({ email: 'ada@example.com' });
  await member.rest(`DELETE /v1/people/${person_id}`);
  expect((await list(org, { operation: 'delete_person' })).entries).toMatchObject([
    { actor: { kind: 'user', id: member.user.userId }, ids: { person_id } },
  ]);
});

test('filters hold together, and pages of any size show every entry once, the newest first', async () => {
  const org = await world().newOrg();
  const [one, two] = [await newMember(world(), org, 'editor'), await newMember(world(), org, 'editor')];
  const person_id = await org.person({ email: 'p0@example.com' });
  for (let n = 0; n < 12; n++) {
    const by = n % 3 === 0 ? one : two;
    if (n % 2 === 0) await by.rest('POST /v1/people/identify', { email: `p${n + 1}@example.com` });
    else await by.rest(`PATCH /v1/people/${person_id}`, { first_name: `Name ${n}` });
  }
  const { rows } = await world().admin.query<{
    id: string;
    operation: string;
    actor_id: string;
    ids: object;
    at: Date;
  }>('select id, operation, actor_id, ids, at from audit_log where org_id = $1 order by id desc', [org.id]);
  const middle = rows[6]!.at.toISOString();
  const filters: [Record<string, string>, (row: (typeof rows)[number]) => boolean][] = [
    [{}, () => true],
    [{ actor_id: one.user.userId }, (row) => row.actor_id === one.user.userId],
    [{ operation: 'update_person' }, (row) => row.operation === 'update_person'],
    [{ object_id: person_id }, (row) => JSON.stringify(row.ids).includes(person_id)],
    [
      { actor_id: two.user.userId, operation: 'update_person', object_id: person_id },
      (row) => row.actor_id === two.user.userId && row.operation === 'update_person',
    ],
    [{ from: middle }, (row) => row.at.toISOString() >= middle],
    [{ to: middle }, (row) => row.at.toISOString() < middle],
    [{ actor_id: 'nobody' }, () => false],
  ];
  for (const [asked, holds] of filters) {
    const wanted = rows.filter(holds).map(({ id }) => id);
    for (const limit of [1, 5, 200]) expect([asked, await all(org, asked, limit)]).toEqual([asked, wanted]);
  }
  expect(rows.length).toBe(13);
});

test('another organization has entries of its own, also about the same id', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  const person_id = await org.person({ email: 'ada@example.com' });
  expect((await list(other, { object_id: person_id })).entries).toEqual([]);
  expect((await list(org, { object_id: person_id })).entries).toHaveLength(1);
});
