import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../../../src/database/pool.ts';
import type { Work } from '../../../src/database/work.ts';
import { beginSending, type StartDelivery } from '../../../src/domain/broadcasts/sending/begin-sending.ts';
import { createBroadcast } from '../../../src/domain/broadcasts/draft/create-broadcast.ts';
import { deleteBroadcast } from '../../../src/domain/broadcasts/draft/delete-broadcast.ts';
import { planBroadcast } from '../../../src/domain/broadcasts/plan/plan-broadcast.ts';
import { scheduleBroadcast } from '../../../src/domain/broadcasts/plan/schedule-broadcast.ts';
import { unscheduleBroadcast } from '../../../src/domain/broadcasts/plan/unschedule-broadcast.ts';
import { updateBroadcast } from '../../../src/domain/broadcasts/draft/update-broadcast.ts';
import type { OrgId } from '../../../src/kernel/ids.ts';
import type { AnyOperation } from '../../../src/kernel/operation.ts';
import type { Random } from '../../segments/random.ts';
import type { Round } from './races-judge.ts';
import { apply, type Ask, type Call } from './races-model.ts';

type Input = Record<string, unknown>;

/** The service, by whatever way: the answer is `ok` or the code of a refusal. */
export type Asked = (
  operation: AnyOperation<Work>,
  input: Input,
) => Promise<{ readonly answer: string; readonly output: Input }>;

export interface Place {
  readonly asked: Asked;
  readonly database: Database;
  readonly org: OrgId;
  readonly draft: Input;
  readonly sendAt: Date;
}

const minute = 60_000;
const lateness = { early: -1, due: 0, late: 60 * minute + 1 };

/** What is asked at once: lanes side by side, in each one thing after another. */
function mix(random: Random): {
  readonly scheduled: boolean;
  readonly lanes: readonly (readonly Ask[])[];
} {
  let plans = 0;
  const times = (most: number, make: () => Ask[]): Ask[][] =>
    Array.from({ length: random.int(0, most) }, make);
  const scheduled = random.chance(0.5);
  const start = (): Ask => ({
    kind: 'start',
    revision: random.pick([2, 2, 2, 3, 4, 4]),
    when: random.pick(['due', 'due', 'due', 'due', 'due', 'due', 'early', 'late']),
  });
  const replan = (): Ask[] => {
    plans += 1;
    const lane: Ask[] = [
      { kind: 'plan', plan: plans },
      { kind: 'schedule', plan: plans },
    ];
    return random.chance(0.5) ? [...lane, start()] : lane;
  };
  const lanes: Ask[][] = [
    [{ kind: 'schedule', plan: 0 }],
    random.chance(0.5) ? [{ kind: 'schedule', plan: 0 }] : [{ kind: 'schedule', plan: 0 }, start()],
    [start()],
    [start()],
    ...times(1, () => [start()]),
    ...times(2, () => [{ kind: 'unschedule' }]),
    ...times(1, () => [start(), { kind: 'unschedule' }]),
    ...times(1, () => [{ kind: 'patch' }]),
    ...times(1, replan),
    ...(random.chance(0.15) ? [[{ kind: 'delete' } as const]] : []),
    ...(random.chance(0.15) ? [[start(), { kind: 'delete' } as const]] : []),
  ];
  const shuffled = lanes
    .map((lane) => ({ lane, place: random.next() }))
    .toSorted((a, b) => a.place - b.place);
  return { scheduled, lanes: shuffled.map(({ lane }) => lane) };
}

let ticks = 0; // what was answered before what was asked

/** One broadcast, made for it, and everything at once. */
export async function runRound(place: Place, random: Random): Promise<Round & { readonly id: string }> {
  const { asked, sendAt } = place;
  const { scheduled, lanes } = mix(random);
  const made = await asked(createBroadcast, place.draft);
  const { id } = made.output['broadcast'] as { id: string };
  const tokens: unknown[] = [await newToken(asked, id, sendAt)];
  let start: Round['start'] = { status: 'draft', revision: 1, plans: { 0: 1 } };
  if (scheduled) {
    const { answer } = await asked(scheduleBroadcast, { broadcast_id: id, plan_token: tokens[0] });
    if (answer !== 'ok') throw new Error(`scheduling before the round was answered ${answer}`);
    [, start] = apply(start, { kind: 'schedule', plan: 0 });
  }
  const delivered: Record<number, number> = {};
  const calls: Call[] = [];
  const waits = lanes.map(() => (random.chance(0.5) ? random.int(1, 6) : 0));
  await Promise.all(
    lanes.map(async (lane, at) => {
      if (waits[at]! > 0) await pause(waits[at]);
      for (const ask of lane) {
        // A plan that was refused has no token to schedule with.
        if (ask.kind === 'schedule' && tokens[ask.plan] === undefined) continue;
        const from = ticks++;
        const answer = await answerTo(place, id, ask, tokens, delivered);
        calls.push({ ask, answer, from, to: ticks++ });
      }
    }),
  );
  return { id, start, calls, delivered };
}

async function newToken(asked: Asked, broadcast_id: string, sendAt: Date): Promise<unknown> {
  const { output } = await asked(planBroadcast, { broadcast_id, send_at: sendAt.toISOString() });
  return output['plan_token'];
}

async function answerTo(
  { asked, database, org, sendAt }: Place,
  broadcast_id: string,
  ask: Ask,
  tokens: unknown[],
  delivered: Record<number, number>,
): Promise<string> {
  switch (ask.kind) {
    case 'plan': {
      const { answer, output } = await asked(planBroadcast, { broadcast_id, send_at: sendAt.toISOString() });
      tokens[ask.plan] = output['plan_token'];
      return answer;
    }
    case 'schedule':
      return (await asked(scheduleBroadcast, { broadcast_id, plan_token: tokens[ask.plan] })).answer;
    case 'unschedule':
      return (await asked(unscheduleBroadcast, { broadcast_id })).answer;
    case 'patch':
      return (await asked(updateBroadcast, { broadcast_id, subject: `Changed at ${ticks}` })).answer;
    case 'delete':
      return (await asked(deleteBroadcast, { broadcast_id })).answer;
    case 'start': {
      const alarm = { org_id: org, broadcast_id, revision: ask.revision };
      const now = new Date(sendAt.getTime() + lateness[ask.when]);
      const begun = await beginSending(database, alarm, now, deliveryInto(delivered));
      return begun.outcome;
    }
  }
}

/** A delivery that counts its calls and leaves a row in the transaction it is handed. */
const deliveryInto =
  (delivered: Record<number, number>): StartDelivery =>
  async (db, { org_id, broadcast_id, revision }, now) => {
    delivered[revision] = (delivered[revision] ?? 0) + 1;
    const payload = JSON.stringify({ broadcast_id, revision: String(revision) });
    await sql`insert into outbox (org_id, service, handler, payload, created_at)
      values (${org_id}, 'Delivery', 'start', ${payload}, ${now})`.execute(db);
  };
