import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { inHours, newDraft, plan, schedule, readyDraft } from '../../support/broadcast.ts';
import { contentsOf } from '../../support/org-contents.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { faces, putInState, read, update, type Answer } from './draft-ways.ts';

const world = useWorld();

const begun = ['sending', 'sent', 'stopped', 'error'] as const;
const remove = (org: TestOrg, id: string) => org.rest(`DELETE /v1/broadcasts/${id}`);

/** How calls are refused, which leaves every row as it was: all are read before the first and after the last alone. */
async function refusalsOf(org: TestOrg, calls: readonly (() => Promise<Answer>)[]): Promise<string[]> {
  const before = await contentsOf(world().admin, org);
  const told: string[] = [];
  for (const call of calls) {
    const { status, body } = await call();
    told.push(`${status} ${body.code}`);
  }
  expect(await contentsOf(world().admin, org)).toEqual(before);
  return told;
}

const refusalOf = async (org: TestOrg, call: () => Promise<Answer>): Promise<string | undefined> =>
  (await refusalsOf(org, [call]))[0];

test.each(faces)(
  'BRD-041 ERR-001 over %s a scheduled broadcast is not changed, and after unschedule it is',
  async (face) => {
    const org = await world().newOrg();
    const { id } = await readyDraft(world(), org);
    const { broadcast } = await schedule(org, id);
    const changes = [
      { subject: 'Other' },
      { html: '<p>Other</p>' },
      { sender_id: null },
      { audience: 'everyone' },
      { preview_text: null },
      {},
    ];
    const calls = changes.map((change) => () => update[face](org, id, change));
    expect(await refusalsOf(org, calls)).toEqual(changes.map(() => '409 broadcast_scheduled'));
    expect(await read(org, id)).toEqual(broadcast);
    await org.rest(`POST /v1/broadcasts/${id}/unschedule`);
    for (const change of changes) {
      const { status, body } = await update[face](org, id, change);
      expect([status, body.broadcast.status]).toEqual([200, 'draft']);
    }
    expect(await read(org, id)).toMatchObject({ subject: 'Other', html: '<p>Other</p>', sender: null });
  },
);

test.each(begun)('BRD-041 ERR-001 nor is one that is %s', async (status) => {
  const org = await world().newOrg();
  const { id } = await newDraft(org, { audience: 'everyone', subject: 'Hello' });
  await putInState(world(), id, status);
  const before = await read(org, id);
  const calls = faces.map((face) => () => update[face](org, id, { subject: 'Other' }));
  expect(await refusalsOf(org, calls)).toEqual(faces.map(() => '409 sending_begun'));
  expect(await read(org, id)).toEqual(before);
});

test.each(['draft', 'scheduled', 'stopped', 'error', 'sent'])(
  'BRD-054 a broadcast that is %s and that nobody received is deleted: not found and not listed from then on',
  async (status) => {
    const org = await world().newOrg();
    const kept = await newDraft(org, { audience: 'everyone' });
    const { id } = await readyDraft(world(), org);
    if (status === 'scheduled') await schedule(org, id);
    else if (status !== 'draft') await putInState(world(), id, status);
    expect(await remove(org, id)).toMatchObject({ status: 200, body: { deleted: true, broadcast_id: id } });
    const gone = { status: 404, body: { code: 'not_found' } };
    expect(await org.rest(`GET /v1/broadcasts/${id}`)).toMatchObject(gone);
    expect(await remove(org, id)).toMatchObject(gone);
    expect(await org.rest(`GET /v1/broadcasts/${id}/stats`)).toMatchObject(gone);
    expect(await org.rest(`POST /v1/broadcasts/${id}/plan`, { send_at: inHours(24) })).toMatchObject(gone);
    for (const face of faces) expect(await update[face](org, id, { subject: 'Back' })).toMatchObject(gone);
    const { broadcasts, total } = (await org.rest('GET /v1/broadcasts')).body;
    expect([broadcasts.map((one: { id: string }) => one.id), total]).toEqual([[kept.id], 1]);
  },
);

test.each(begun)(
  'BRD-055 ERR-001 one that is %s and that somebody received is not deleted',
  async (status) => {
    const org = await world().newOrg();
    const { id } = await newDraft(org, { audience: 'everyone', subject: 'Hello' });
    await putInState(world(), id, status, { sent: 1 });
    const before = await read(org, id);
    expect(await refusalOf(org, () => remove(org, id))).toBe('409 already_received');
    expect(await read(org, id)).toEqual(before);
  },
);

test('BRD-055 while it is being sent it is not deleted, even if nobody received it yet', async () => {
  const org = await world().newOrg();
  const { id } = await newDraft(org, { audience: 'everyone' });
  await putInState(world(), id, 'sending');
  expect(await refusalOf(org, () => remove(org, id))).toBe('409 sending_begun');
});

test('BRD-054 an id that nothing has is not found, and one that is none is refused', async () => {
  const org = await world().newOrg();
  const person = await org.person({ email: 'ada@example.com' });
  for (const id of [randomUUID(), person]) expect((await remove(org, id)).status).toBe(404);
  const wrong = await remove(org, 'all');
  expect(wrong).toMatchObject({ status: 400, body: { errors: [{ pointer: '/broadcast_id' }] } });
});

/** In which states an operation on a broadcast is refused. */
const refusals: [
  operation: string,
  states: readonly string[],
  call: (org: TestOrg, id: string) => Promise<Answer>,
][] = [
  [
    'plan',
    ['scheduled', ...begun],
    (org, id) => org.rest(`POST /v1/broadcasts/${id}/plan`, { send_at: inHours(24) }),
  ],
  [
    'schedule',
    ['draft', 'scheduled', ...begun],
    (org, id) => org.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token: 'a token that no plan gave' }),
  ],
  ['unschedule', ['draft', ...begun], (org, id) => org.rest(`POST /v1/broadcasts/${id}/unschedule`)],
  ['PATCH', ['scheduled', ...begun], (org, id) => update.rest(org, id, { subject: 'Other' })],
  ['DELETE', ['sending'], (org, id) => remove(org, id)],
];

test.each(refusals)('ERR-001 a refused %s leaves the broadcast as it was: %j', async (_, states, call) => {
  const org = await world().newOrg();
  const made: { status: string; id: string; record: unknown }[] = [];
  for (const status of states) {
    const { id } = await newDraft(org, { audience: 'everyone', subject: 'Hello' });
    if (status !== 'draft') await putInState(world(), id, status);
    made.push({ status, id, record: await read(org, id) });
  }
  const rows = await contentsOf(world().admin, org);
  for (const { status, id, record } of made) {
    const answer = await call(org, id);
    expect({ status, refused: answer.status }).toEqual({ status, refused: 409 });
    expect(await read(org, id)).toEqual(record);
  }
  expect(await contentsOf(world().admin, org)).toEqual(rows);
});

test('ERR-001 a refused change leaves the plan of the draft good', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  const { plan_token } = await plan(org, id);
  for (const wrong of [
    { html: '<div>x</div>' },
    { channel: 'sms' },
    { subject: 7 },
    { segment_id: randomUUID() },
  ]) {
    for (const face of faces) expect([400, 404]).toContain((await update[face](org, id, wrong)).status);
  }
  const { status } = await org.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token });
  expect(status).toBe(200);
});
