import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { newDraft, newWebinar } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import { lockWaits } from '../../support/lock-waits.ts';
import { contentsOf } from '../../support/org-contents.ts';
import { newSegment } from '../../support/segment.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import {
  create,
  expectNotFound,
  faces,
  pointersOf,
  read,
  refusedChange,
  refusedNew,
  update,
} from './draft-ways.ts';

const world = useWorld();

type Field = 'segment_id' | 'webinar_id' | 'sender_id';
type Ids = Record<Field, string>;

let mine: TestOrg;
let own: Ids;
let theirs: TestOrg;
let their: Ids;
let draft: string;

const filters = [{ property: 'primary_email', op: 'is_not_empty' }];
const furnish = async (org: TestOrg): Promise<Ids> => ({
  segment_id: await newSegment(org, filters),
  webinar_id: await newWebinar(world(), org),
  sender_id: await newSender(world(), org),
});

beforeAll(async () => {
  [mine, theirs] = [await world().newOrg(), await world().newOrg()];
  [own, their] = [await furnish(mine), await furnish(theirs)];
  draft = (await newDraft(mine, { audience: 'everyone', subject: 'Mine' })).id;
});

/** What a field is sent with: where it belongs, and where everything else is wrong as well. */
const settings: Readonly<Record<Field, readonly object[]>> = {
  segment_id: [{ audience: 'segment' }, { audience: 'everyone' }, { audience: 'segment', html: '<div>' }],
  webinar_id: [{ audience: 'webinar' }, { audience: 'webinar', channel: 'sms' }, { audience: 'segment' }],
  sender_id: [{ audience: 'everyone' }, { audience: 'everyone', channel: 'sms' }, { audience: 'webinar' }],
};
const rules = { segment_id: 'TEN-005 BRD-016', webinar_id: 'TEN-006 BRD-018', sender_id: 'TEN-007 BRD-035' };
const fields = Object.keys(rules) as Field[];
const cases = fields.flatMap((field) =>
  settings[field].map((sent) => ({ rules: rules[field], field, sent })),
);

test.each(cases)(
  '$rules $field of another organization is not found beside $sent',
  async ({ field, sent }) => {
    const before = await contentsOf(world().admin, theirs);
    await expectNotFound(world(), mine, draft, { ...sent, [field]: their[field] });
    await expectNotFound(world(), mine, draft, { ...sent, [field]: randomUUID() });
    expect(await contentsOf(world().admin, theirs)).toEqual(before);
  },
);

test.each(fields)(
  'TEN-005 TEN-006 TEN-007 %s of another organization is told in the words of one that nobody has',
  async (field) => {
    const say = async (id: string): Promise<string> => {
      const { body } = await create.rest(mine, { ...settings[field][0], [field]: id });
      return body.detail;
    };
    expect(await say(their[field])).toBe(await say(randomUUID()));
  },
);

test('BRD-035 sender_id takes what the senders list has, ready or not', async () => {
  const unready = await newSender(world(), mine, { ready: false });
  const { senders } = (await mine.tool('list_senders')).body;
  expect(senders.map(({ id }: { id: string }) => id)).toEqual([own.sender_id, unready]);
  for (const { id, from, reply_to } of senders) {
    for (const face of faces) {
      const made = await create[face](mine, { audience: 'everyone', sender_id: id });
      expect(made.body.broadcast.sender).toEqual({ id, from, reply_to });
      const changed = await update[face](mine, draft, { sender_id: id });
      expect(changed.body.broadcast.sender).toEqual({ id, from, reply_to });
    }
  }
  for (const wrong of ['', 'news@example.com', 7, [own.sender_id]]) {
    const sent = { audience: 'everyone', sender_id: wrong };
    expect(pointersOf(await refusedNew(world(), mine, sent))).toEqual(['/sender_id']);
    expect(pointersOf(await refusedChange(world(), mine, draft, sent))).toEqual(['/sender_id']);
  }
  const missing = await refusedNew(world(), mine, { audience: 'everyone', sender_id: null });
  expect(pointersOf(missing)).toEqual(['/sender_id']);
});

test('a sender that is deleted is taken off its drafts', async () => {
  const sender_id = await newSender(world(), mine);
  const { id } = await newDraft(mine, { audience: 'everyone', sender_id, subject: 'Hello' });
  expect((await mine.rest(`DELETE /v1/senders/${sender_id}`)).status).toBe(200);
  expect(await read(mine, id)).toMatchObject({ sender: null, subject: 'Hello' });
  await expectNotFound(world(), mine, draft, { sender_id });
});

test.each(['segment_id', 'sender_id'] as const)(
  'BRD-016 BRD-035 a %s that is deleted while a draft is made or changed is not found',
  async (field) => {
    const { admin } = world();
    const table = field === 'segment_id' ? 'segments' : 'senders';
    const gone = field === 'segment_id' ? await newSegment(mine, filters) : await newSender(world(), mine);
    const sent = { ...settings[field][0], [field]: gone };
    const { id } = await newDraft(mine, { audience: 'everyone' });
    const before = await read(mine, id);
    await admin.query('begin');
    await admin.query(`delete from ${table} where id = $1`, [gone]);
    const calls = faces.flatMap((face) => [create[face](mine, sent), update[face](mine, id, sent)]);
    await expect.poll(() => lockWaits(admin)).toBeGreaterThanOrEqual(3);
    await admin.query('commit');
    for (const answer of await Promise.all(calls)) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    expect(await read(mine, id)).toEqual(before);
  },
);

test('ids in capitals are the same ids', async () => {
  const sent = { audience: 'segment', segment_id: own.segment_id, sender_id: own.sender_id };
  const { id } = await newDraft(mine, sent);
  const before = await contentsOf(world().admin, mine);
  const loud = { segment_id: own.segment_id.toUpperCase(), sender_id: own.sender_id.toUpperCase() };
  for (const face of faces) {
    const { body } = await update[face](mine, id, loud);
    expect(body.broadcast).toMatchObject({
      audience: { segment_id: own.segment_id },
      sender: { id: own.sender_id },
    });
  }
  expect(await contentsOf(world().admin, mine)).toEqual(before);
});

test('SDR-005 every sender of the list is accepted as sender_id, be it ready or not', async () => {
  const org = await world().newOrg();
  for (const ready of [true, false]) await newSender(world(), org, { ready });
  const { senders } = (await org.rest('GET /v1/senders')).body;
  expect(senders.map(({ ready }: { ready: boolean }) => ready)).toEqual([true, false]);
  for (const { id } of senders) {
    const made = await newDraft(org, { audience: 'everyone', sender_id: id });
    expect(made.sender.id).toBe(id);
    const other = await newDraft(org, { audience: 'everyone' });
    const { status, body } = await org.rest(`PATCH /v1/broadcasts/${other.id}`, { sender_id: id });
    expect([status, body.broadcast.sender.id]).toEqual([200, id]);
  }
});
