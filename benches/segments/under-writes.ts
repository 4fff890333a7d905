import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase, openPool } from '../../src/database/pool.ts';
import type { OrgId } from '../../src/kernel/ids.ts';
import { seedPeople } from '../../src/main/seed-people.ts';
import { tell } from '../support/command.ts';
import { atLeast, atMost, told, type Figure } from '../support/figure.ts';
import { broadest } from './cases.ts';
import { timesOf, type Times } from '../support/in-turns.ts';
import type { ThroughRest } from './through-rest.ts';

interface WritePlan {
  readonly perSecond: number;
  readonly seconds: number;
  readonly bar: number;
}

const batchesPerSecond = 10;

/** A broad segment read over and over, people written at a steady pace, and then both at once. */
export async function underWrites(
  service: ThroughRest,
  database: { readonly url: string; readonly org: OrgId },
  plan: WritePlan,
): Promise<Figure[]> {
  const segment = await service.createSegment(broadest);
  await service.firstPage(segment);
  tell('a broad segment alone');
  const readAlone = await reading(service, segment, plan.seconds);
  tell(`${plan.perSecond} people a second alone`);
  const writtenAlone = await writing(database, plan);
  tell('both at once');
  const [read, written] = await Promise.all([
    reading(service, segment, plan.seconds),
    writing(database, plan),
  ]);
  await remove(database);
  const during = `while ${plan.perSecond} people a second are written`;
  const batch = `a batch of ${plan.perSecond / batchesPerSecond}`;
  return [
    atMost(`${broadest.name}: p50 ms ${during}, beside alone`, read.p50, readAlone.p50, plan.bar),
    told(`${broadest.name}: p95 ms ${during}, beside alone`, read.p95, readAlone.p95),
    atLeast('people written a second meanwhile, beside alone', written.rate, writtenAlone.rate, 1 / plan.bar),
    atMost(`p50 ms of ${batch} meanwhile, beside alone`, written.p50, writtenAlone.p50, plan.bar),
    told(`p95 ms of ${batch} meanwhile, beside alone`, written.p95, writtenAlone.p95),
  ];
}

/** Takes the written people away again: the database is used for later runs. They were numbered after the others. */
async function remove({ url, org }: { readonly url: string; readonly org: OrgId }): Promise<void> {
  const pool = openPool({ url, size: 1, onError: () => undefined });
  await pool.query(`delete from people where org_id = $1 and substr(external_user_id, 5)::int > 1000000`, [
    org,
  ]);
  await pool.end();
}

async function reading(service: ThroughRest, segment: string, seconds: number): Promise<Times> {
  const taken: number[] = [];
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    const started = performance.now();
    await service.firstPage(segment);
    taken.push(performance.now() - started);
  }
  return timesOf(taken);
}

/** New people with three identifiers and twenty properties each, in small batches, as an import would bring them. */
async function writing(
  { url, org }: { readonly url: string; readonly org: OrgId },
  plan: WritePlan,
): Promise<Times & { rate: number }> {
  const pool = openPool({ url, size: 1, onError: () => undefined });
  const database = openDatabase(pool);
  const people = plan.perSecond / batchesPerSecond;
  const taken: number[] = [];
  const started = performance.now();
  for (let n = 0; n < plan.seconds * batchesPerSecond; n++) {
    const due = started + (n * 1000) / batchesPerSecond;
    if (due > performance.now()) await pause(due - performance.now());
    const before = performance.now();
    await seedPeople(database, { org, people, properties: 20, now: new Date() });
    taken.push(performance.now() - before);
  }
  const rate = (taken.length * people * 1000) / (performance.now() - started);
  await pool.end();
  return { ...timesOf(taken), rate };
}
