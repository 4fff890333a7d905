import { beforeAll, expect, test } from 'vitest';
import { beginSending } from '../../../src/domain/broadcasts/sending/begin-sending.ts';
import { inHours, newDraft, plan, setLayout } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { volume } from '../../support/volume.ts';
import { useWorld } from '../../support/world.ts';
import { faces } from '../plan/schedule-ways.ts';

const world = useWorld();
const rounds = volume(50);
const atOnce = 8;

let org: TestOrg;
let sender_id: string;
beforeAll(async () => {
  org = await world().newOrg();
  await setLayout(org);
  sender_id = await newSender(world(), org);
});

const newId = async (): Promise<string> =>
  (await newDraft(org, { audience: 'everyone', subject: 'Hello', html: '<p>Hello</p>', sender_id })).id;

/** As many calls at once as there are; answers how often each answer was given. */
async function tally(calls: readonly Promise<string>[]): Promise<Record<string, number>> {
  const answers = Map.groupBy(await Promise.all(calls), (answer) => answer);
  return Object.fromEntries([...answers].map(([answer, given]) => [answer, given.length]));
}

/** Schedules over both faces at once, with each of the tokens. */
const scheduleAll = (id: string, tokens: readonly string[]) =>
  tally(
    Array.from({ length: atOnce }, async (_, at) => {
      const { schedule } = faces[at % faces.length]!;
      const { status, body } = await schedule(org, id, { plan_token: tokens[at % tokens.length] });
      return status === 200 ? body.broadcast.timing.send_at : `${status} ${body.code}`;
    }),
  );

test('SCH-001 SCH-021 of many that schedule with one token at once, exactly one succeeds', async () => {
  for (let round = 0; round < rounds; round++) {
    const id = await newId();
    const { plan_token, delivery } = await plan(org, id);
    expect(await scheduleAll(id, [plan_token])).toEqual({
      [delivery.send_at]: 1,
      '409 broadcast_scheduled': atOnce - 1,
    });
  }
});

test('SCH-002 SCH-021 of many plans for as many times, the one that wins is the time it has', async () => {
  for (let round = 0; round < rounds; round++) {
    const id = await newId();
    const plans = await Promise.all([24, 48, 72].map((hours) => plan(org, id, inHours(hours))));
    const answers = await scheduleAll(
      id,
      plans.map(({ plan_token }) => plan_token),
    );
    const { timing } = (await org.rest(`GET /v1/broadcasts/${id}`)).body.broadcast;
    expect(answers).toEqual({ [timing.send_at]: 1, '409 broadcast_scheduled': atOnce - 1 });
  }
});

test('SCH-004 of many alarms at once, exactly one begins, and it delivers once', async () => {
  for (let round = 0; round < rounds; round++) {
    const id = await newId();
    const { plan_token, delivery } = await plan(org, id);
    expect((await faces[0]!.schedule(org, id, { plan_token })).status).toBe(200);
    let delivered = 0;
    const alarm = { org_id: org.id, broadcast_id: id, revision: 2 };
    const ring = async () => {
      const count = async () => void delivered++;
      return (await beginSending(world().database, alarm, new Date(delivery.send_at), count)).outcome;
    };
    expect(await tally(Array.from({ length: atOnce }, ring))).toEqual({ began: 1, moved_on: atOnce - 1 });
    expect(delivered).toBe(1);
  }
});

test('SCH-003 of many that unschedule at once, exactly one does', async () => {
  const id = await newId();
  const { plan_token } = await plan(org, id);
  expect((await faces[0]!.schedule(org, id, { plan_token })).status).toBe(200);
  const calls = Array.from({ length: atOnce }, async (_, at) => {
    const { status, body } = await faces[at % faces.length]!.unschedule(org, id);
    return status === 200 ? body.broadcast.status : body.code;
  });
  expect(await tally(calls)).toEqual({ draft: 1, not_scheduled: atOnce - 1 });
});
