import { setTimeout as pause } from 'node:timers/promises';
import { tell } from '../support/command.ts';
import { atLeast, atMost, told, type Figure } from '../support/figure.ts';
import { broadest } from './cases.ts';
import { timesOf, type Times } from './in-turns.ts';
import type { ThroughRest } from './through-rest.ts';

interface WritePlan {
  readonly perSecond: number;
  readonly seconds: number;
  readonly bar: number;
}

/** A broad segment read over and over, people written at a steady pace, and then both at once. */
export async function underWrites(service: ThroughRest, plan: WritePlan): Promise<Figure[]> {
  const segment = await service.createSegment(broadest);
  await service.firstPage(segment);
  tell('a broad segment alone');
  const readAlone = await reading(service, segment, plan.seconds);
  tell(`${plan.perSecond} people a second alone`);
  const writtenAlone = await writing(service, plan);
  tell('both at once');
  const [read, written] = await Promise.all([
    reading(service, segment, plan.seconds),
    writing(service, plan),
  ]);
  const during = `while ${plan.perSecond} people a second are written`;
  return [
    atMost(`${broadest.name}: p50 ms ${during}, beside alone`, read.p50, readAlone.p50, plan.bar),
    told(`${broadest.name}: p95 ms ${during}, beside alone`, read.p95, readAlone.p95),
    atLeast('people written a second meanwhile', written.rate, writtenAlone.rate, 1 / plan.bar),
    told('p50 ms of a write meanwhile', written.p50, writtenAlone.p50),
    told('p95 ms of a write meanwhile', written.p95, writtenAlone.p95),
  ];
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

let made = 0;

/** New people with a property each, sent at their time whether or not earlier ones were answered. */
async function writing(service: ThroughRest, plan: WritePlan): Promise<Times & { rate: number }> {
  const taken: number[] = [];
  const sent: Promise<void>[] = [];
  const started = performance.now();
  for (let n = 0; n < plan.perSecond * plan.seconds; n++) {
    const due = started + (n * 1000) / plan.perSecond;
    if (due > performance.now()) await pause(due - performance.now());
    sent.push(writeOne(service).then((time) => void taken.push(time)));
  }
  await Promise.all(sent);
  return { ...timesOf(taken), rate: (taken.length * 1000) / (performance.now() - started) };
}

async function writeOne(service: ThroughRest): Promise<number> {
  made += 1;
  const started = performance.now();
  await service.call('POST', '/v1/people/identify', {
    email: `written-${process.pid}-${made}-${Math.floor(started)}@example.net`,
    first_name: 'Written',
  });
  return performance.now() - started;
}
