import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { arrange, newWebinar } from '../send/arrange.ts';
import { startService } from '../send/service.ts';
import type { BenchOrg } from '../support/bench-database.ts';
import { tell } from '../support/command.ts';
import type { Figure } from '../support/figure.ts';
import type { Forked } from '../support/forked.ts';
import { startSink } from '../support/start-sink.ts';
import type { Attack } from './attack.ts';
import type { Begin } from './attacker.ts';
import { broadcastCase, newScheduled, type Audience, type Soon } from './broadcast-case.ts';
import type { Ground } from './ground.ts';

export interface BroadcastsPlan {
  readonly databaseUrl: string;
  readonly rows: pg.Client;
  readonly victim: BenchOrg;
  /** Whose attacks, and whose messages to the engine, the victim is beside. */
  readonly attacker: { readonly org: BenchOrg; readonly process: Forked; readonly ground: Ground };
  readonly attacks: readonly Attack[];
  readonly connections: number;
  /** Each sends to everybody it has. */
  readonly others: readonly BenchOrg[];
  readonly peopleOfOthers: number;
  readonly outboxRows: number;
  /**
   * How many times as long as alone it may take beside others; without it, no longer than it may alone. A small run is
   * made on machines of any speed, so it is held against itself.
   */
  readonly timesAlone?: Soon;
}

const few = 50;
const replyMs = 100;
const arrangedAtOnce = 4;
const soonEnough: Soon = { first: 2, last: 5 };

/** How soon a webinar broadcast to a few goes out beside others, through the whole service and a slow mail server. */
export async function broadcasts(plan: BroadcastsPlan): Promise<Figure[]> {
  const { rows, attacker, others, peopleOfOthers } = plan;
  const closing: (() => unknown)[] = [];
  try {
    const sink = await startSink();
    closing.push(() => sink.stop());
    const service = await startService(plan.databaseUrl, sink.port, closing);
    closing.push(() => sink.think(0)); // so that what is in hand is over soon
    const stage = { sink, service };
    const audience = async (org: BenchOrg, people: number): Promise<Audience> => {
      const setting = await arrange(rows, org, service.url);
      return { setting, webinar: await newWebinar(setting, people), people };
    };
    const victim = await audience(plan.victim, few);
    tell(`arranging broadcasts of ${others.length} others`);
    const waiting = others.values();
    const large: string[] = [];
    const arrangeNext = async (): Promise<void> => {
      for (const org of waiting) large.push(await newScheduled(await audience(org, peopleOfOthers)));
    };
    await Promise.all(Array.from({ length: arrangedAtOnce }, arrangeNext));
    await rows.query('vacuum analyze');
    await broadcastCase('to warm up', stage, victim, soonEnough, {});
    await sink.think(replyMs);
    const figures: Figure[] = [];
    let bars = soonEnough;
    const measure = async (name: string, beside: Parameters<typeof broadcastCase>[4]): Promise<void> => {
      tell(`a broadcast ${name}`);
      figures.push(...(await broadcastCase(name, stage, victim, bars, beside)));
    };
    await measure('alone', {});
    const [first, last] = figures.map(({ ours }) => ours) as [number, number];
    if (plan.timesAlone !== undefined)
      bars = { first: first * plan.timesAlone.first, last: last * plan.timesAlone.last };
    await measure(`behind ${plan.outboxRows} outbox rows`, {
      meanwhile: (due) => fillOutbox(rows, attacker.org, plan.outboxRows, due),
    });
    for (const { name } of plan.attacks) {
      const begin: Begin = {
        ask: 'begin',
        name,
        ground: attacker.ground,
        url: service.url,
        connections: plan.connections,
      };
      const attack = async () => {
        await attacker.process.ask({ ...begin });
        return () => attacker.process.ask({ ask: 'end' });
      };
      await measure(`during ${name}`, { meanwhile: attack });
    }
    await measure(`beside ${others.length} others due at the same moment`, { others: large });
    return figures;
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

/** Property changes of so many people, as `identify_person` leaves them, all at once and just before a moment. */
async function fillOutbox(
  rows: pg.Client,
  { id: org }: BenchOrg,
  count: number,
  due: number,
): Promise<undefined> {
  await rows.query('begin');
  await rows.query(
    `with config as (select id from property_configs where org_id = $1 and type = 'number' order by id limit 1),
     made as (
       insert into property_changes (org_id, id, person_id, changes, requested_at, request_id)
       select $1, new_id(now()), p.id, jsonb_build_object(config.id, 1), now(), 'bench'
       from config, (select id from people where org_id = $1 order by id limit $2) p
       returning id)
     insert into outbox (org_id, service, handler, payload, created_at)
     select $1, 'PersonProperties', 'apply',
       jsonb_build_object('org_id', $1::text, 'change_id', id, 'request_id', 'bench'), now() from made`,
    [org, count],
  );
  await pause(Math.max(0, due - 200 - Date.now()));
  await rows.query('commit');
}
