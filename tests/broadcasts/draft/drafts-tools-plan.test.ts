import { beforeAll, expect, test } from 'vitest';
import { inHours, newDraft, plan, setVerified, readyDraft } from '../../support/broadcast.ts';
import { contentsOf } from '../../support/org-contents.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { faces, read, said, update, type Answer, type Face, type Fields } from './draft-ways.ts';
import { hour, minute, whileItIs } from '../plan/plan-support.ts';

const world = useWorld();

let org: TestOrg;
beforeAll(async () => {
  org = await world().newOrg();
});

/** An operation on a broadcast over either face. */
const ask = async (
  face: Face,
  operation: string,
  broadcast_id: string,
  fields: Fields = {},
): Promise<Answer> => {
  if (face === 'tool') {
    const { isError, body } = await org.tool(`${operation}_broadcast`, { broadcast_id, ...fields });
    return { status: isError ? body.status : 200, body };
  }
  return org.rest(`POST /v1/broadcasts/${broadcast_id}/${operation}`, fields);
};

test('TOL-006 plan_broadcast answers what POST …/plan answers, and either token schedules over either face', async () => {
  for (const planner of faces) {
    for (const scheduler of faces) {
      const { id } = await readyDraft(world(), org);
      const send_at = inHours(24);
      const [planned, other] = await whileItIs(world(), new Date().toISOString(), async () => [
        (await ask(planner, 'plan', id, { send_at })).body,
        (await ask(planner === 'rest' ? 'tool' : 'rest', 'plan', id, { send_at })).body,
      ]);
      const token = expect.stringMatching(/^[\w-]+$/);
      expect(other).toEqual({ ...planned, plan_token: token });
      const { plan_token } = planned;
      const scheduled = await ask(scheduler, 'schedule', id, { plan_token });
      expect(scheduled).toMatchObject({
        status: 200,
        body: { broadcast: { status: 'scheduled' }, delivery: { send_at } },
      });
    }
  }
  const { id } = await newDraft(org, { audience: 'everyone' });
  for (const wrong of [{ send_at: 'tomorrow' }, { send_at: 7 }, { at: inHours(24) }]) {
    expect(said(await ask('tool', 'plan', id, wrong))).toEqual(said(await ask('rest', 'plan', id, wrong)));
  }
});

type Refused = [string, (id: string) => Promise<Fields>];
const unschedulable: Refused[] = [
  ['no token', async () => ({})],
  ['a token that no plan gave', async () => ({ plan_token: 'a token' })],
  [
    'the token of another',
    async () => ({ plan_token: (await plan(org, (await readyDraft(world(), org)).id)).plan_token }),
  ],
  [
    'a token of before a change',
    async (id) => {
      const { plan_token } = await plan(org, id);
      await update.rest(org, id, { subject: 'Changed' });
      return { plan_token };
    },
  ],
  [
    'a token while something blocks',
    async (id) => {
      const { plan_token } = await plan(org, id);
      await setVerified(world(), (await read(org, id)).sender.id, false);
      return { plan_token };
    },
  ],
];

test.each(unschedulable)(
  'TOL-007 schedule_broadcast refuses %s as POST …/schedule does',
  async (_, arrange) => {
    const { id } = await readyDraft(world(), org);
    const sent = await arrange(id);
    const before = await contentsOf(world().admin, org);
    const [overRest, overTool] = [
      await ask('rest', 'schedule', id, sent),
      await ask('tool', 'schedule', id, sent),
    ];
    expect([400, 409]).toContain(overRest.status);
    expect(said(overTool)).toEqual(said(overRest));
    expect(await contentsOf(world().admin, org)).toEqual(before);
  },
);

test('TOL-007 schedule_broadcast refuses an old plan, and what is scheduled already, as POST …/schedule does', async () => {
  const { id } = await readyDraft(world(), org);
  const { plan_token } = await plan(org, id);
  await whileItIs(world(), new Date(Date.now() + hour + minute).toISOString(), async () => {
    const overTool = await ask('tool', 'schedule', id, { plan_token });
    expect(overTool).toMatchObject({ status: 409, body: { code: 'plan_expired' } });
    expect(said(overTool)).toEqual(said(await ask('rest', 'schedule', id, { plan_token })));
  });
  const scheduled = await ask('tool', 'schedule', id, { plan_token });
  expect(Object.keys(scheduled.body).toSorted()).toEqual(['broadcast', 'delivery', 'message']);
  expect(await read(org, id)).toEqual(scheduled.body.broadcast);
  const again = await ask('tool', 'schedule', id, { plan_token });
  expect(again).toMatchObject({ status: 409, body: { code: 'broadcast_scheduled' } });
  expect(said(again)).toEqual(said(await ask('rest', 'schedule', id, { plan_token })));
});
