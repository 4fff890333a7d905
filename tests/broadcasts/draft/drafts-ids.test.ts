import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { newDraft, schedule, readyDraft } from '../../support/broadcast.ts';
import { contentsOf } from '../../support/org-contents.ts';
import { useWorld } from '../../support/world.ts';
import { create, faces, pointersOf, read, refusedNew } from './draft-ways.ts';

const world = useWorld();

const servedAs = { rest: 201, tool: 200 } as const;
const toEveryone = { audience: 'everyone', subject: 'First', html: '<p>First</p>' };

test('BRD-001 BRD-006 BRD-042 without a broadcast_id the service gives one, and what is made is a new draft', async () => {
  const org = await world().newOrg();
  const made = new Set<string>();
  for (const face of [...faces, ...faces]) {
    const { status, body } = await create[face](org, { audience: 'everyone' });
    expect(status).toBe(servedAs[face]);
    expect(Object.keys(body).toSorted()).toEqual(['broadcast', 'created']);
    expect(body).toMatchObject({ broadcast: { status: 'draft' }, created: true });
    expect(body.broadcast.id).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(await read(org, body.broadcast.id)).toEqual(body.broadcast);
    made.add(body.broadcast.id);
  }
  expect(made.size).toBe(4);
});

test.each(faces)(
  'BRD-002 BRD-006 over %s the broadcast_id that a caller chose becomes the id',
  async (face) => {
    const org = await world().newOrg();
    for (const chosen of [randomUUID(), randomUUID().toUpperCase()]) {
      const id = chosen.toLowerCase();
      const { status, body } = await create[face](org, { broadcast_id: chosen, audience: 'everyone' });
      expect(status).toBe(servedAs[face]);
      expect(body).toMatchObject({ broadcast: { id, status: 'draft' }, created: true });
      expect(await read(org, id)).toEqual(body.broadcast);
      const { audit_log } = await contentsOf(world().admin, org);
      expect(audit_log).toContainEqual(expect.objectContaining({ ids: { broadcast_id: id } }));
    }
  },
);

test.each([
  ['empty', ''],
  ['a word', 'summer-sale'],
  ['of version 1', '2c1d43b8-e6d7-11e6-bf01-fe55135034f3'],
  ['of version 3', 'a3bb189e-8bf9-3888-9912-ace4e6543002'],
  ['of version 5', 'a6edc906-2f9f-5fb2-a373-efac406f0ef2'],
  ['of version 7', '018f0000-0000-7000-8000-000000000000'],
  ['of no version', '00000000-0000-0000-0000-000000000000'],
  ['of another variant', '9f1c2d3e-4b5a-4c6d-ce8f-0a1b2c3d4e5f'],
  ['without dashes', '9f1c2d3e4b5a4c6d8e8f0a1b2c3d4e5f'],
  ['in braces', '{9f1c2d3e-4b5a-4c6d-8e8f-0a1b2c3d4e5f}'],
  ['with a blank', '9f1c2d3e-4b5a-4c6d-8e8f-0a1b2c3d4e5f '],
  ['too short', '9f1c2d3e-4b5a-4c6d-8e8f-0a1b2c3d4e5'],
  ['a number', 4],
  ['null', null],
  ['a list', ['9f1c2d3e-4b5a-4c6d-8e8f-0a1b2c3d4e5f']],
])('BRD-003 a broadcast_id that is %s is refused', async (_, broadcast_id) => {
  const errors = await refusedNew(world(), await world().newOrg(), { broadcast_id, audience: 'everyone' });
  expect(pointersOf(errors)).toEqual(['/broadcast_id']);
});

test.each(faces)(
  'BRD-004 BRD-005 over %s a repeated create answers the first draft, whatever it sends, and writes nothing',
  async (face) => {
    const org = await world().newOrg();
    const broadcast_id = randomUUID();
    const first = await create[face](org, { broadcast_id, ...toEveryone });
    const before = await contentsOf(world().admin, org);
    const others = [
      toEveryone,
      { audience: 'everyone' },
      { audience: 'everyone', subject: 'Second', html: '<p>Second</p>', preview_text: 'Second' },
      { channel: 'sms', audience: 'webinar', webinar_id: randomUUID() },
    ];
    for (const other of others) {
      for (const again of faces) {
        const answer = await create[again](org, { broadcast_id, ...other });
        expect(answer).toMatchObject({ status: 200 });
        expect(answer.body).toEqual({ broadcast: first.body.broadcast, created: false });
      }
    }
    expect(await contentsOf(world().admin, org)).toEqual(before);
    expect((await org.rest('GET /v1/broadcasts')).body.total).toBe(1);
  },
);

test('BRD-004 BRD-005 a repeated create answers the broadcast as it is by now, also when it is scheduled', async () => {
  const org = await world().newOrg();
  const broadcast_id = randomUUID();
  await readyDraft(world(), org, { broadcast_id });
  const { broadcast } = await schedule(org, broadcast_id);
  for (const face of faces) {
    const { body } = await create[face](org, { broadcast_id, ...toEveryone });
    expect(body).toEqual({ broadcast, created: false });
  }
});

test('BRD-005 BRD-006 of many creates at once with one broadcast_id, one makes the broadcast', async () => {
  for (let round = 0; round < 5; round++) {
    const org = await world().newOrg();
    const broadcast_id = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        create[faces[at % 2]!](org, { broadcast_id, audience: 'everyone', subject: `Number ${at}` }),
      ),
    );
    expect(answers.filter(({ body }) => body.created === true)).toHaveLength(1);
    expect(answers.filter(({ status, body }) => status !== 200 && body.created !== true)).toEqual([]);
    const kept = await read(org, broadcast_id);
    for (const { body } of answers) expect(body.broadcast).toEqual(kept);
    const { broadcasts, audit_log } = await contentsOf(world().admin, org);
    expect([broadcasts, audit_log]).toMatchObject([[{ id: broadcast_id }], [{ ids: { broadcast_id } }]]);
  }
});

test('TEN-009 a broadcast_id that another organization uses is free here, and theirs is neither shown nor changed', async () => {
  const [mine, theirs] = [await world().newOrg(), await world().newOrg()];
  const broadcast_id = randomUUID();
  const their = await newDraft(theirs, { broadcast_id, ...toEveryone, subject: 'Theirs' });
  const before = await contentsOf(world().admin, theirs);
  const first = await create.rest(mine, { broadcast_id, audience: 'everyone', subject: 'Mine' });
  expect(first).toMatchObject({ status: 201, body: { created: true } });
  expect(first.body.broadcast).toMatchObject({ id: broadcast_id, subject: 'Mine', html: null });
  const again = await create.tool(mine, { broadcast_id, ...toEveryone });
  expect(again.body).toEqual({ broadcast: first.body.broadcast, created: false });
  await mine.rest(`DELETE /v1/broadcasts/${broadcast_id}`);
  expect((await mine.rest(`GET /v1/broadcasts/${broadcast_id}`)).status).toBe(404);
  expect(await read(theirs, broadcast_id)).toEqual(their);
  expect(await contentsOf(world().admin, theirs)).toEqual(before);
});

test('with an idempotency key a repeated create without an id makes no second broadcast', async () => {
  const org = await world().newOrg();
  const key = { 'idempotency-key': 'one draft' };
  const first = await org.rest('POST /v1/broadcasts', toEveryone, key);
  const again = await org.rest('POST /v1/broadcasts', toEveryone, key);
  expect(again).toMatchObject({ status: 201, body: first.body });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  const other = await org.rest('POST /v1/broadcasts', { ...toEveryone, subject: 'Second' }, key);
  expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
  expect((await org.rest('GET /v1/broadcasts')).body.total).toBe(1);
});
