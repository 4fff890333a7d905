import { setTimeout as pause } from 'node:timers/promises';
import { tell, type Options, type Size } from '../../benches/support/command.ts';
import { exactly, told, type Figure } from '../../benches/support/figure.ts';
import { startLocalRestate } from '../../src/main/local-restate.ts';
import type { Course } from './broadcast-course.ts';
import { killAtRandom } from './broadcast-kills.ts';
import { closeAll, tellEngine, type Closing } from './broadcast-stage.ts';
import { chanceOf } from './chance.ts';
import { travel } from './workflow-course.ts';
import { judgeJourney } from './workflow-judge.ts';
import { openWorkflowStage } from './workflow-stage.ts';
import { watchWorkflow } from './workflow-watch.ts';

const plans = {
  // Swept often once the engine is empty: a lane at work just then is told of when its step has ended, not half a minute
  // later.
  // So many that the windows in hand at a kill, of some lanes at once, are few beside them.
  small: { people: 900, wave: 6, times: 2, cutOneIn: 200, delayMs: 3, patience: 600, sweepMs: 2_000 },
  full: {
    people: 19_400,
    wave: 100,
    times: 13,
    cutOneIn: 1_000,
    delayMs: 1,
    patience: 1_200,
    sweepMs: undefined,
  },
};

const waves = 7;

/**
 * A workflow with waits, splits and messages, from the registrations to the end of every run, on a clock that is moved
 * and with a webinar that is, while handlers, relay, Restate and PostgreSQL are killed at random. At half the way the
 * engine's whole state is thrown away. Every run must end where the model says, and nobody may get a message twice.
 */
export async function workflow(size: Size, { people, seed }: Options): Promise<Figure[]> {
  const { times, wave, patience, sweepMs, ...sized } = plans[size];
  const plan = { ...sized, people: people ?? sized.people };
  const closing: Closing = [];
  try {
    const restate = await startLocalRestate();
    closing.push(restate.remove, () => restate.stop());
    const stage = await openWorkflowStage({ ...plan, seed, restate }, closing);
    const { hands, api, handlers, relay } = stage;
    const victims = [
      hands.ofHandlers(handlers),
      relay,
      hands.ofEngine(stage.engine),
      hands.ofPostgres(stage.postgres),
    ];
    const watch = watchWorkflow(stage.postgres.url, plan.people + waves * wave);
    tell('on the way, under fire');
    const killing = killAtRandom(victims, { times, course: watch, seed });
    const losing = loseAtHalf(() => hands.whileEngineIsLost(stage.loseEngine), watch);
    const sweeping = losing.then(() => sweepOver(stage.postgres.url, watch, sweepMs));
    // All of them come to their end, also when one fails: nobody may kill or start anything once it is all closed.
    const course = (async () => {
      try {
        return await travel(stage, { wave, patience, chance: chanceOf(seed) });
      } finally {
        await watch.end();
      }
    })();
    await Promise.allSettled([course, killing, losing, sweeping]);
    const { starts, again, seconds } = await course;
    const [killed, lost] = [await killing, await losing];
    await handlers.kill('SIGTERM');
    return [
      exactly('kills of handlers, relay, Restate and PostgreSQL', killed, times * victims.length),
      exactly('times the engine lost everything', lost, 1),
      exactly(
        'times a part ended by itself',
        api.endedByItself + handlers.endedByItself + relay.endedByItself,
        0,
      ),
      told('seconds from the first registration to the last end', seconds),
      told('calls that had to be made again', again),
      ...(await judgeJourney(stage, starts)),
    ];
  } finally {
    await closeAll(closing);
  }
}

async function loseAtHalf(lose: () => Promise<void>, { progress, over }: Course): Promise<number> {
  while (progress() < 0.5 && !over()) await pause(20);
  if (over()) return 0;
  tell('throwing the engine state away');
  await lose();
  return 1;
}

/** What the relay does every half minute, more often than that. */
async function sweepOver(url: string, { over }: Course, everyMs: number | undefined): Promise<void> {
  if (everyMs === undefined) return;
  for (; !over(); await pause(everyMs)) await tellEngine(url).catch(() => undefined); // the database may be away
}
